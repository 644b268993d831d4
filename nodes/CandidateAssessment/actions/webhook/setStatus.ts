import { oneOf } from '../../parameters/rules';
import type { Operation } from '../operation';
import { webhookId, webhookIdProperty, setWebhookStatus, webhookOperation } from './webhooks';

/** Specification, "4. Update a webhook's status". */
export const setStatus: Operation = {
	name: 'Set Status',
	value: 'setStatus',
	action: 'Set webhook status',
	description: 'Switch a webhook on or off, and with it the trigger that uses it',
	properties: [
		webhookIdProperty,
		{
			displayName: 'Status',
			name: 'status',
			type: 'options',
			required: true,
			options: [
				{ name: 'Active', value: 'active' },
				{ name: 'Inactive', value: 'inactive' },
			],
			default: 'active',
		},
	],
	request: (params) =>
		setWebhookStatus(webhookId(params), params.required('status', oneOf('active', 'inactive'))),
	...webhookOperation,
};
