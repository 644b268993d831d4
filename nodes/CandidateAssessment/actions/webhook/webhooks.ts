import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { propertyHints } from '../../builderHints';
import { field } from '../../parameters/field';
import type { NodeParameters } from '../../parameters/NodeParameters';
import { fail, idOf, listOf, string, type Rule } from '../../parameters/rules';
import { API_PATH } from '../../transport/credentials';
import type { ApiRequest, RequestPolicy } from '../../transport/types';
import type { Operation } from '../operation';

/** Identifies the webhook that an operation or the trigger works on. Specification, "Webhook". */
export const webhookIdProperty = field('Webhook ID', 'webhookId', {
	required: true,
	placeholder: 'e.g. 8c7d6e5f-4a3b-4c2d-9e1f-0a9b8c7d6e5f',
	hint: "Ask the service's support for this ID",
	builderHint: { propertyHint: propertyHints.id },
});

/** Throws `InvalidParameterError` if the ID is missing or not a UUID. */
export function readWebhookId(params: NodeParameters): string {
	return params.required('webhookId', idOf('webhook'));
}

const RESULT_READY = 'candidate_application_result_ready';

/** The events that the specification names ("Events"); others can be given by expression. */
export const eventOptions: INodePropertyOptions[] = [
	{
		name: 'Candidate Result Ready',
		value: RESULT_READY,
		description: 'The assessment result of a candidate is ready',
	},
];

export const eventsProperty = field('Events', 'events', {
	type: 'multiOptions',
	required: true,
	options: eventOptions,
	default: [RESULT_READY],
	description: 'Events to receive. Enter other event names with an expression.',
});

/** Takes a list of event names, or a single name. */
export const eventNames: Rule<string[]> = (value) =>
	listOf((name) => string()(name) || fail('is empty'))([value].flat());

/** Specification, "Webhook status". */
export type WebhookStatus = 'active' | 'inactive';

/** Everything that an update replaces. Specification, "3. Update a webhook". */
export interface WebhookUpdate {
	name: string;
	url: string;
	events: string[];
	secret?: string;
}

export function updateWebhook(webhookId: string, update: WebhookUpdate): ApiRequest {
	return { method: 'PUT', path: webhookPath(webhookId), body: { ...update } };
}

export function setWebhookStatus(webhookId: string, status: WebhookStatus): ApiRequest {
	return { method: 'PUT', path: `${webhookPath(webhookId)}/status`, body: { status } };
}

export function webhookPath(webhookId: string): string {
	return `${API_PATH}/webhooks/${webhookId}`;
}

/** Returns the URL without its query, which a service may truncate, and without a trailing slash. */
export function withoutQuery(url: string): string {
	if (!URL.canParse(url)) return url;
	const { origin, pathname } = new URL(url);
	return origin + pathname.replace(/\/$/, '');
}

/** Each request sets a state, so repeating it does no harm. */
export const webhookPolicy = {
	isRepeatable: true,
	/** The response must show the webhook as it was asked for. */
	isConfirmedBy: (shown: IDataObject, { method, body }: ApiRequest) => {
		if (method === 'DELETE') return shown.is_deleted === true;
		if (!('url' in shown && 'events' in shown) || shown.is_deleted === true) return false;
		if (body?.status !== undefined) return shown.status === body.status;
		return withoutQuery(String(shown.url)) === withoutQuery(String(body?.url));
	},
	statusMessages: {
		200: {
			message: "The service's response doesn't show the change",
			description:
				'The webhook may have been deleted. Check it in the service, and the Base URL in the credential.',
		},
		404: {
			message: 'No webhook with this ID exists. It may have been deleted.',
			description:
				"Check 'Webhook ID'. A deleted webhook can't be restored: ask the service's support for a new one.",
		},
	},
	secret: ({ body }: ApiRequest) => body?.secret as string | undefined,
} satisfies RequestPolicy;

/** Adds what all operations on webhooks share. */
export function webhookOperation(own: Omit<Operation, keyof typeof webhookPolicy>): Operation {
	return {
		...webhookPolicy,
		identifyingFields: ['webhookId'],
		isSequential: true,
		output: () => async (data) => ({ json: withoutSecret(data) }),
		...own,
		properties: [webhookIdProperty, ...own.properties],
	};
}

/** Drops the webhook's secret, which is write-only, and the secret that was `sent`, wherever it appears. */
export function withoutSecret(webhook: IDataObject, sent = ''): IDataObject {
	return JSON.parse(JSON.stringify(webhook), (name: string, value: unknown) => {
		const holdsSecret = sent !== '' && typeof value !== 'object' && String(value).includes(sent);
		return /secret/i.test(name) || holdsSecret ? undefined : value;
	}) as IDataObject;
}
