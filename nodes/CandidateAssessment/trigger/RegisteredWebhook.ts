import { randomBytes } from 'crypto';
import type { IHookFunctions } from 'n8n-workflow';
import {
	setWebhookStatus,
	updateWebhook,
	webhookPolicy,
	webhookQueue,
} from '../actions/webhook/webhooks';
import { ApiError } from '../errors/ItemError';
import { ApiClient } from '../transport/ApiClient';
import type { ApiCredentials } from '../transport/credentials';
import type { ApiRequest } from '../transport/types';
import { webhookSecret } from '../transport/webhookSecret';
import type { Step } from './plans';
import { ifValid } from './properties';
import type { Webhook } from './registeredUrl';

/** In seconds. An attempt that begins in time may take this much longer. */
const TIMEOUT = 15;

/** In seconds, from the first request on, when its turn has come. After this time nothing more is sent. */
const SEND_WITHIN = 45;

/** In seconds, from n8n's call on, waiting in line included. n8n 2.41 gives up on a publication after 84 seconds. */
const SEND_BEFORE = 60;

/** The webhook that a trigger works with, at the service. */
export class RegisteredWebhook {
	private readonly stop = new AbortController();
	private readonly client: ApiClient;
	/** Whatever is sent, the service may repeat what it has registered. */
	private readonly policy = { ...webhookPolicy, secret: () => ifValid(() => this.secret()) };

	constructor(
		context: IHookFunctions,
		readonly credentials: ApiCredentials,
		readonly webhookId: string,
		maxRetries: number,
	) {
		this.stopAfter(
			SEND_BEFORE,
			'n8n was still busy with this webhook, since the service responds slowly. Try again in a minute.',
		);
		const options = { concurrency: 1, maxRetries, timeout: TIMEOUT, maxWait: SEND_WITHIN };
		this.client = new ApiClient(context, credentials, options, this.stop);
	}

	get queue(): string {
		return webhookQueue(this.webhookId);
	}

	/** The secret to register. Throws `CredentialError` if there is none that is safe. */
	secret(): string {
		return webhookSecret(this.credentials, this.webhookId);
	}

	/**
	 * Returns what is registered. It can only be seen by switching the webhook on. Everything starts with a look,
	 * so the time to send begins with it. Throws `ApiError`.
	 */
	async look(): Promise<Webhook> {
		this.stopAfter(SEND_WITHIN, "The service didn't respond in time. Try again later.");
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

	/** Nothing more is sent after this time: that fails with the message. */
	private stopAfter(seconds: number, message: string): void {
		const error = new ApiError({ message }, 'notSent');
		AbortSignal.timeout(seconds * 1000).addEventListener('abort', () => this.stop.abort(error));
	}

	private requestOf(step: Step): ApiRequest {
		if (typeof step === 'string') return setWebhookStatus(this.webhookId, step);
		const secret = step.secret === 'own' ? this.secret() : randomBytes(32).toString('hex');
		return updateWebhook(this.webhookId, { ...step.webhook, secret });
	}

	private async change(request: ApiRequest): Promise<Webhook> {
		const { name, url, events } = await this.client.request(request, this.policy);
		return {
			name: typeof name === 'string' ? name : '',
			url: typeof url === 'string' ? url : '',
			events: Array.isArray(events) ? events.map(String) : [],
		};
	}
}
