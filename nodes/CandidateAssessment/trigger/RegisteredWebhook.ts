import { randomBytes } from 'crypto';
import type { IHookFunctions } from 'n8n-workflow';
import {
	setWebhookStatus,
	updateWebhook,
	WEBHOOK_NOT_FOUND,
	webhookPolicy,
	type WebhookStatus,
} from '../actions/webhook/webhooks';
import { ApiError } from '../errors/ItemError';
import { ApiClient } from '../transport/ApiClient';
import { readCredentials, type ApiCredentials } from '../transport/credentials';
import type { ApiRequest, RequestPolicy } from '../transport/types';
import type { Step, Webhook } from './lifecycle';
import { isSameUrl } from './registeredUrl';
import { webhookSecret } from './secret';

const SEND_OPTIONS = { concurrency: 1, timeout: 15, maxWait: 60 };

/** The one webhook that a trigger works with, at the service. */
export class RegisteredWebhook {
	/** True once it was updated, or something was asked that may have been done. */
	mayHaveChanged = false;

	/** The URL that the service has made of the one it was sent, if that is another. */
	alteredUrl?: string;

	private constructor(
		private readonly context: IHookFunctions,
		private credentials: ApiCredentials,
		private readonly webhookId: string,
		/** For each request, at once. */
		private readonly maxRetries: number,
	) {}

	/** Reads the credential. Throws `CredentialError`. */
	static async open(context: IHookFunctions, webhookId: string): Promise<RegisteredWebhook> {
		return new RegisteredWebhook(context, await readCredentials(context), webhookId, 3);
	}

	/** The same for a task that is tried again later anyway. */
	withoutRetries(): RegisteredWebhook {
		return new RegisteredWebhook(this.context, this.credentials, this.webhookId, 0);
	}

	/**
	 * Reads the credential again: its token may have been replaced. Keeps the one it has if the new one
	 * cannot be used, or is for another service, where the same ID is another webhook.
	 */
	async refresh(): Promise<void> {
		try {
			const credentials = await readCredentials(this.context);
			this.secret(credentials);
			if (credentials.baseUrl === this.credentials.baseUrl) this.credentials = credentials;
		} catch {
			// The old one may still do.
		}
	}

	/** Tells one webhook from another, of other services too. One ID may be written in two ways. */
	get key(): string {
		return `${this.credentials.baseUrl} ${this.webhookId.toLowerCase()}`;
	}

	/** The secret to register. Throws `CredentialError` if there is none that is safe. */
	secret(credentials = this.credentials): string {
		return webhookSecret(credentials, this.webhookId);
	}

	/** Looks at what is registered, which switches it on: the only way to see it. Throws `ApiError`. */
	async look(): Promise<Webhook> {
		return await this.setStatus('active');
	}

	/** Throws `ApiError` at the first step that fails, and `CredentialError` like `secret`. */
	async apply(steps: readonly Step[]): Promise<void> {
		for (const step of steps) {
			if (step.kind === 'setStatus') {
				await this.setStatus(step.status);
				continue;
			}
			const secret = step.secret === 'own' ? this.secret() : randomBytes(32).toString('hex');
			const sent = { ...step.webhook, secret };
			const { url } = await this.change(updateWebhook(this.webhookId, sent));
			this.mayHaveChanged = true;
			this.alteredUrl = isSameUrl(sent.url, url) ? undefined : url;
		}
	}

	private async setStatus(status: WebhookStatus): Promise<Webhook> {
		return await this.change(setWebhookStatus(this.webhookId, status), status);
	}

	/** Sends a request that changes the webhook. A service may do so with one that was deleted, in vain. */
	private async change(request: ApiRequest, status?: WebhookStatus): Promise<Webhook> {
		// A client of its own: one that was asked to wait for long sends nothing more.
		const options = { ...SEND_OPTIONS, maxRetries: this.maxRetries };
		const client = new ApiClient(this.context, this.credentials, options);
		const policy: RequestPolicy = {
			...webhookPolicy,
			hasNoOptions: true,
			// The trigger cannot do without what is registered, even if that is nothing.
			isConfirmedBy: (shown) =>
				'url' in shown &&
				'events' in shown &&
				(status === undefined || shown.status === status || shown.is_deleted === true),
		};
		const webhook = await client.request(request, policy).catch((error: Error) => {
			if (!(error instanceof ApiError) || error.mayBeCarriedOut) this.mayHaveChanged = true;
			throw error;
		});
		if (webhook.is_deleted === true)
			throw new ApiError(WEBHOOK_NOT_FOUND, { outcome: 'refused', httpStatus: 404 });
		const { name, url, events } = webhook;
		return {
			name: typeof name === 'string' && name ? name : 'n8n',
			url: typeof url === 'string' ? url : '',
			events: Array.isArray(events) ? events.map(String) : [],
		};
	}
}
