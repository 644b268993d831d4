import { randomBytes } from 'crypto';
import type { IHookFunctions } from 'n8n-workflow';
import { setWebhookStatus, updateWebhook, webhookPolicy } from '../actions/webhook/webhooks';
import { ApiError } from '../errors/ItemError';
import { ApiClient } from '../transport/ApiClient';
import type { ApiCredentials } from '../transport/credentials';
import type { ApiRequest } from '../transport/types';
import type { Step } from './plans';
import type { Webhook } from './registeredUrl';
import { webhookSecret } from './secret';

/**
 * In seconds. After this time nothing more is sent, and apart from waiting in line, a hook ends within a
 * minute. n8n 2.41 gives up on a publication after 84 seconds, and on a test after 120.
 */
const SEND_WITHIN = 45;

/** The webhook that a trigger works with, at the service. */
export class RegisteredWebhook {
	private readonly client: ApiClient;

	constructor(
		context: IHookFunctions,
		readonly credentials: ApiCredentials,
		readonly webhookId: string,
		maxRetries: number,
	) {
		const stop = new AbortController();
		const message = "The service didn't respond in time. Try again later.";
		const tooSlow = new ApiError({ message }, 'notSent');
		AbortSignal.timeout(SEND_WITHIN * 1000).addEventListener('abort', () => stop.abort(tooSlow));
		const options = { concurrency: 1, maxRetries, timeout: 15, maxWait: SEND_WITHIN };
		this.client = new ApiClient(context, credentials, options, stop);
	}

	/** Work on this webhook runs one after the other, in this queue, whatever the UUID's case and the service's host name. */
	get queue(): string {
		return `webhook ${this.webhookId.toLowerCase()}`;
	}

	/** The secret to register. Throws `CredentialError` if there is none that is safe. */
	secret(): string {
		return webhookSecret(this.credentials, this.webhookId);
	}

	/** Returns what is registered. It can only be seen by switching the webhook on. Throws `ApiError`. */
	async look(): Promise<Webhook> {
		return await this.change(setWebhookStatus(this.webhookId, 'active'));
	}

	/**
	 * Returns the webhook as it is after each step. Throws `ApiError` at the first step that fails, and
	 * `CredentialError` as `secret` does.
	 */
	async apply(steps: readonly Step[]): Promise<Webhook[]> {
		const shown: Webhook[] = [];
		for (const step of steps) shown.push(await this.change(this.requestOf(step)));
		return shown;
	}

	private requestOf(step: Step): ApiRequest {
		if (typeof step === 'string') return setWebhookStatus(this.webhookId, step);
		const secret = step.secret === 'own' ? this.secret() : randomBytes(32).toString('hex');
		return updateWebhook(this.webhookId, { ...step.webhook, secret });
	}

	private async change(request: ApiRequest): Promise<Webhook> {
		const { name, url, events } = await this.client.request(request, webhookPolicy);
		return {
			name: typeof name === 'string' ? name : '',
			url: typeof url === 'string' ? url : '',
			events: Array.isArray(events) ? events.map(String) : [],
		};
	}
}
