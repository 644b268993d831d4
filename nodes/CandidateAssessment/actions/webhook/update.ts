import { string, url } from '../../parameters/rules';
import { headerSecret } from '../../parameters/secret';
import type { Operation } from '../operation';
import { eventNames, eventsProperty } from './events';
import { webhookId, webhookIdProperty, updateWebhook, webhookOperation } from './webhooks';

/** Specification, "3. Update a webhook". */
export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update webhook',
	description: 'Replace the name, address, events and secret of a webhook',
	properties: [
		webhookIdProperty,
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Results to n8n',
			description: 'What the webhook is called in the assessment service',
		},
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://hr.example.com/assessment-results',
			description: 'The address that the service sends its events to',
		},
		eventsProperty,
		{
			displayName:
				'A new URL takes the events away from a trigger that uses this webhook, until its workflow is unpublished and published again',
			name: 'urlNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			hint: 'Only needed if something other than the trigger receives the calls',
			description:
				'Secret that the service sends in a header of each call, so that the receiver can verify it',
		},
	],
	request: (params) =>
		updateWebhook(webhookId(params), {
			name: params.required('name', string()),
			url: params.required('url', url),
			events: params.required('events', eventNames),
			secret: params.optional('secret', headerSecret),
		}),
	...webhookOperation,
};
