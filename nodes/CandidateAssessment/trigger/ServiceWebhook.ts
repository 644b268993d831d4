import type { IHookFunctions } from 'n8n-workflow';
import {
	setWebhookStatus,
	updateWebhook,
	webhookPolicy,
	type WebhookStatus,
	type WebhookUpdate,
} from '../actions/webhook/webhooks';
import { ApiError } from '../errors/ItemError';
import { ApiClient } from '../transport/ApiClient';
import { readCredentials } from '../transport/credentials';
import type { ApiRequest } from '../transport/types';
import { inSequence } from '../utils/inSequence';
import { webhookSecret } from './secret';

/** No request begins after `maxWait` seconds: `create` and `delete` together fit into the 84 that n8n 2.41 allows. */
const OPTIONS = { concurrency: 1, maxRetries: 3, timeout: 10, maxWait: 25 };

/** For the trigger's requests, in which users can only correct 'Events'. */
const REFUSED = {
	message: 'The service refused to change the webhook',
	description:
		"If it couldn't verify the address: n8n answers only POST calls that carry the webhook's secret, so ask the service's support to skip this check. If it names an event, correct 'Events'.",
};
const statusMessages = { ...webhookPolicy.statusMessages, 400: REFUSED, 422: REFUSED };

/** The webhook that a trigger works with, at the service. */
export class ServiceWebhook {
	private constructor(
		private readonly client: ApiClient,
		private readonly id: string,
	) {}

	/** Throws `CredentialError`. */
	static async of(context: IHookFunctions, id: string): Promise<ServiceWebhook> {
		const stop = new AbortController();
		const message = "The service didn't respond in time. Try again later.";
		AbortSignal.timeout(OPTIONS.maxWait * 1000).addEventListener('abort', () =>
			stop.abort(new ApiError({ message }, 'notSent')),
		);
		const credentials = await readCredentials(context);
		return new ServiceWebhook(new ApiClient(context, credentials, OPTIONS, stop), id);
	}

	get baseUrl(): string {
		return this.client.credentials.baseUrl;
	}

	get secret(): string {
		return webhookSecret(this.client.credentials.accessToken, this.id);
	}

	/** Runs a change of several requests once this process's earlier changes to the same webhook have ended. */
	async exclusively(change: () => Promise<void>): Promise<void> {
		await inSequence(`webhook ${this.id.toLowerCase()}`, change);
	}

	/** Reads the webhook by setting it active, since the API shows one only in response to a change. One in use is active anyway. */
	async activateAndRead() {
		return await this.setStatus('active');
	}

	async setStatus(status: WebhookStatus) {
		return await this.change(setWebhookStatus(this.id, status));
	}

	async update(webhook: Required<WebhookUpdate>): Promise<void> {
		await this.change(updateWebhook(this.id, webhook));
	}

	private async change(request: ApiRequest) {
		const policy = { ...webhookPolicy, statusMessages, secret: () => this.secret };
		const { name, url, events } = await this.client.request(request, policy);
		return {
			name: typeof name === 'string' ? name : '',
			url: typeof url === 'string' ? url : '',
			events: Array.isArray(events) ? events.map(String) : [],
		};
	}
}
