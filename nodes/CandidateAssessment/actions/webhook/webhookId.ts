import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { NodeParameters } from '../../parameters/NodeParameters';
import { uuid } from '../../parameters/rules';
import type { ApiRequest, StatusMessages } from '../../transport/types';
import { API_PATH } from '../../transport/apiPath';

/** The webhook that an operation or the trigger works on. Specification, "Webhook". */
export const webhookIdProperty: INodeProperties = {
	displayName: 'Webhook ID',
	name: 'webhookId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 8c7d6e5f-4a3b-4c2d-9e1f-0a9b8c7d6e5f',
	description: 'The ID of a webhook that the assessment service has set up for you',
	hint: 'The people of the assessment service can tell you',
};

/** Throws `InvalidField` where the ID is missing or not a UUID. */
export function webhookId(params: NodeParameters): string {
	return params.required('webhookId', uuid);
}

/** The webhook's address below the base URL. Throws `InvalidField` like `webhookId`. */
export function webhookPath(params: NodeParameters): string {
	return `${API_PATH}/webhooks/${webhookId(params)}`;
}

export const webhookNotFound: StatusMessages = {
	404: {
		message: 'There is no webhook with this ID (any more)',
		description:
			'Check the Webhook ID. A deleted webhook cannot be brought back: ask the service for a new one.',
	},
};

/** Two changes of one webhook must not overtake each other. */
export function webhookKey({ path }: ApiRequest): string {
	return path.replace(/\/status$/, '').toLowerCase();
}

/** The secret is write-only: it has no place in an output, even if a service returns it. */
export function withoutSecret(webhook: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(webhook).filter(([name]) => name !== 'secret'));
}
