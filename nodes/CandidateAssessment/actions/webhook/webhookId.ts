import type { INodeProperties } from 'n8n-workflow';
import type { NodeParameters } from '../../parameters/NodeParameters';
import { idOf } from '../../parameters/rules';

/** The webhook that an operation or the trigger works on. Specification, "Webhook". */
export const webhookIdProperty: INodeProperties = {
	displayName: 'Webhook ID',
	name: 'webhookId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 8c7d6e5f-4a3b-4c2d-9e1f-0a9b8c7d6e5f',
	hint: 'Ask the assessment service for this ID',
};

/** Throws `InvalidParameterError` if the ID is missing or not a UUID. */
export function webhookId(params: NodeParameters): string {
	return params.required('webhookId', idOf('webhook'), { everyPart: true });
}
