import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { notice } from '../parameters/field';
import { NodeParameters, placesOf } from '../parameters/NodeParameters';
import { eventsProperty, webhookIdProperty } from '../actions/webhook/webhooks';

export const triggerProperties: INodeProperties[] = [
	webhookIdProperty,
	notice(
		'webhookNotice',
		"Use a separate webhook for each workflow. Publishing replaces the webhook's current URL. If another system gets results there now, it stops getting them.",
	),
	eventsProperty,
];

export function readParameters(context: IHookFunctions | IWebhookFunctions): NodeParameters {
	const read = (path: string) => ({ value: context.getNodeParameter(path, null) });
	return new NodeParameters(placesOf(triggerProperties), read);
}
