import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { string } from '../parameters/rules';
import { eventNames } from '../actions/webhook/events';
import { webhookNotFound, webhookId, webhookPath } from '../actions/webhook/webhookId';
import { CredentialError } from '../transport/credentials';
import { createApiClient, type ApiClient, type SendOptions } from '../transport/ApiClient';
import { readParameters } from './properties';
import { isHeaderSafe, MIN_SECRET_LENGTH, webhookSecret } from './secret';

/** Somebody sits and waits for the publishing to end. */
const SEND_OPTIONS: SendOptions = { concurrency: 1, maxRetries: 3, timeout: 15_000, maxWait: 60 };

const POLICY = { isRepeatable: true, statusMessages: webhookNotFound };

/** What PUT webhooks/{id} replaces, less the secret. Specification, "3. Update a webhook". */
export interface Registration extends IDataObject {
	name: string;
	url: string;
	events: string[];
}

/** The one webhook that a trigger works with, at the service. Every call may be made twice without harm. */
export class RegisteredWebhook {
	private constructor(
		private readonly client: ApiClient,
		private readonly path: string,
		private readonly safeSecret: string | undefined,
		/** What this trigger wants the webhook to be. */
		readonly desired: Registration,
	) {}

	/** Throws `InvalidField` or `BadCredential` before anything is sent. */
	static async open(context: IHookFunctions): Promise<RegisteredWebhook> {
		const params = readParameters(context);
		const path = webhookPath(params);
		const client = await createApiClient(context, SEND_OPTIONS);
		return new RegisteredWebhook(
			client,
			path,
			webhookSecret(client.credentials, webhookId(params)),
			{
				name: params.optional('webhookName', string()) ?? `n8n: ${context.getWorkflow().name}`,
				url: String(context.getNodeWebhookUrl('default')),
				events: params.required('events', eventNames),
			},
		);
	}

	/** The secret to register. Throws `BadCredential` where there is none that is safe. */
	get secret(): string {
		if (this.safeSecret === undefined) {
			throw new CredentialError(
				`The Webhook Secret in the credential must have at least ${MIN_SECRET_LENGTH} characters`,
			);
		}
		if (!isHeaderSafe(this.safeSecret)) {
			throw new CredentialError(
				'The Webhook Secret in the credential may hold letters without accents, digits, blanks and common signs only: the service shows it in a header, where others do not arrive as they were sent',
			);
		}
		return this.safeSecret;
	}

	/** Replaces name, address, events and secret. */
	async register(registration: Registration, secret: string): Promise<void> {
		const body = { ...registration, secret };
		await this.client.request({ method: 'PUT', path: this.path, body }, POLICY);
	}

	/** Answers the webhook as it is registered now: there is no endpoint to read it. */
	async setStatus(status: 'active' | 'inactive'): Promise<IDataObject> {
		return await this.client.request(
			{ method: 'PUT', path: `${this.path}/status`, body: { status } },
			POLICY,
		);
	}
}
