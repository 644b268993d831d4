import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { text } from '../parameters/rules';
import { eventNames } from '../actions/webhook/events';
import { noSuchWebhook, webhookId, webhookPath } from '../actions/webhook/webhookId';
import { call } from '../transport/withRetries';
import { BadCredential } from '../transport/credentials';
import { openLine, type Line, type SendOptions } from '../transport/ApiClient';
import { givenTo } from './properties';
import { canStandInHeader, SHORTEST_SECRET, webhookSecret } from './secret';

/** Somebody sits and waits for the publishing to end. */
const SEND_OPTIONS: SendOptions = { concurrency: 1, maxRetries: 3, timeout: 15_000 };

/** What PUT webhooks/{id} replaces, less the secret. Specification, "3. Update a webhook". */
export interface Registration extends IDataObject {
	name: string;
	url: string;
	events: string[];
}

/** The one webhook that a trigger works with, at the service. Every call may be made twice without harm. */
export class Webhook {
	private constructor(
		private readonly line: Line,
		private readonly path: string,
		private readonly safeSecret: string | undefined,
		/** What this trigger wants the webhook to be. */
		readonly wanted: Registration,
	) {}

	/** Throws `InvalidField` or `BadCredential` before anything is sent. */
	static async open(context: IHookFunctions): Promise<Webhook> {
		const given = givenTo(context);
		const path = webhookPath(given);
		const line = await openLine(context, SEND_OPTIONS);
		return new Webhook(line, path, webhookSecret(line.connection, webhookId(given)), {
			name: given.optional('webhookName', text()) ?? `n8n: ${context.getWorkflow().name}`,
			url: String(context.getNodeWebhookUrl('default')),
			events: given.required('events', eventNames),
		});
	}

	/** The secret to register. Throws `BadCredential` where there is none that is safe. */
	get secret(): string {
		if (this.safeSecret === undefined) {
			throw new BadCredential(
				`The Webhook Secret in the credential must have at least ${SHORTEST_SECRET} characters`,
			);
		}
		if (!canStandInHeader(this.safeSecret)) {
			throw new BadCredential(
				'The Webhook Secret in the credential may hold letters without accents, digits, blanks and common signs only: the service shows it in a header, where others do not arrive as they were sent',
			);
		}
		return this.safeSecret;
	}

	/** Replaces name, address, events and secret. */
	async register(registration: Registration, secret: string): Promise<void> {
		const body = { ...registration, secret };
		await call(this.line, { method: 'PUT', path: this.path, body }, noSuchWebhook);
	}

	/** Answers the webhook as it is registered now: there is no endpoint to read it. */
	async setStatus(status: 'active' | 'inactive'): Promise<IDataObject> {
		return await call(
			this.line,
			{ method: 'PUT', path: `${this.path}/status`, body: { status } },
			noSuchWebhook,
		);
	}
}
