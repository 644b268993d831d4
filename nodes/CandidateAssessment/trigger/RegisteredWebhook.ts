import { randomBytes } from 'crypto';
import type { ICredentialDataDecryptedObject, IDataObject, IHookFunctions } from 'n8n-workflow';
import {
	setWebhookStatus,
	updateWebhook,
	WEBHOOK_NOT_FOUND,
	webhookPolicy,
	type WebhookStatus,
} from '../actions/webhook/webhookRequests';
import { ApiError } from '../errors/ApiError';
import { ApiClient } from '../transport/ApiClient';
import { realClock } from '../transport/clock';
import { CREDENTIAL_TYPE, parseCredentials, type ApiCredentials } from '../transport/credentials';
import type { ApiRequest, RequestPolicy } from '../transport/types';
import type { Step, Webhook } from './lifecycle';
import { webhookSecret } from './secret';

const POLICY = { ...webhookPolicy, hasNoOptions: true } satisfies RequestPolicy;
const SEND_OPTIONS = { concurrency: 1, timeout: 15_000, maxWait: 60 };

/** The one webhook that a trigger works with, at the service. */
export class RegisteredWebhook {
	private constructor(
		private readonly context: IHookFunctions,
		private credentials: ApiCredentials,
		private readonly webhookId: string,
		private readonly maxRetries: number,
		/** Whether a request got no response: it may still take effect. */
		public isUnsettled = false,
	) {}

	/** Whether it was updated, or something was asked of which nobody knows whether it was done. */
	mayHaveChanged = false;

	/**
	 * Reads the credential. Throws `CredentialError`.
	 * @param maxRetries for each request, at once; whoever tries again later needs none
	 */
	static async open(
		context: IHookFunctions,
		webhookId: string,
		{ maxRetries }: { maxRetries: number },
	): Promise<RegisteredWebhook> {
		return new RegisteredWebhook(context, await readCredentials(context), webhookId, maxRetries);
	}

	/** The same, for whoever tries again later. */
	withoutRetries(): RegisteredWebhook {
		const { context, credentials, webhookId, isUnsettled } = this;
		return new RegisteredWebhook(context, credentials, webhookId, 0, isUnsettled);
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
			// Nothing to take over.
		}
	}

	/** One webhook has one ID, however it is written. */
	get id(): string {
		return this.webhookId.toLowerCase();
	}

	/** Tells one webhook from another, of other services too. */
	get key(): string {
		return `${this.credentials.baseUrl} ${this.id}`;
	}

	/** The secret to register. Throws `CredentialError` if there is none that is safe. */
	secret(credentials = this.credentials): string {
		return webhookSecret(credentials, {
			registration: 'automatic',
			webhookId: this.webhookId,
		});
	}

	/** Looks at what is registered, which switches it on: the only way to see it. Throws `ApiError`. */
	async look(): Promise<Webhook> {
		const { name, url, events } = await this.setStatus('active');
		return {
			name: typeof name === 'string' && name ? name : 'n8n',
			url: String(url),
			events: (events as unknown[]).map(String),
		};
	}

	/**
	 * Throws `ApiError` at the first step that fails, and `CredentialError` like `secret`.
	 * @param seen what the steps are based on: if somebody else has taken the webhook over since, they end
	 */
	async apply(steps: readonly Step[], seen?: Webhook): Promise<void> {
		let url = seen?.url;
		for (const step of steps) {
			switch (step.kind) {
				case 'update': {
					url = undefined;
					const secret = step.secret === 'own' ? this.secret() : randomBytes(32).toString('hex');
					const request = updateWebhook(this.webhookId, { ...step.webhook, secret });
					await this.request(request, POLICY);
					this.mayHaveChanged = true;
					break;
				}
				case 'setStatus': {
					const now = await this.setStatus(step.status);
					if (url === undefined || now.url === url) break;
					if (step.status === 'inactive') await this.setStatus('active');
					return;
				}
			}
		}
	}

	/** The service says nothing against changing a webhook that was deleted, but it sends no events. */
	private async setStatus(status: WebhookStatus) {
		const request = setWebhookStatus(this.webhookId, status);
		const webhook = await this.request(request, {
			...POLICY,
			// The trigger cannot do without what it asks for: what is registered.
			isConfirmedBy: ({ url, events, status: now, is_deleted: isDeleted }) =>
				typeof url === 'string' && Array.isArray(events) && (now === status || isDeleted === true),
		});
		if (webhook.is_deleted === true) throw new ApiError(WEBHOOK_NOT_FOUND, 'refused', 404);
		return webhook;
	}

	private async request(request: ApiRequest, policy: RequestPolicy): Promise<IDataObject> {
		// A client of its own: one that was asked to wait for long sends nothing more.
		const options = { ...SEND_OPTIONS, maxRetries: this.maxRetries };
		const stop = new AbortController();
		const client = new ApiClient(this.context, this.credentials, options, stop, realClock);
		return await client.request(request, policy).catch((error: Error) => {
			if (!(error instanceof ApiError) || error.mayBeCarriedOut) this.mayHaveChanged = true;
			throw error;
		});
	}
}

async function readCredentials(context: IHookFunctions): Promise<ApiCredentials> {
	return parseCredentials(
		await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE),
	);
}
