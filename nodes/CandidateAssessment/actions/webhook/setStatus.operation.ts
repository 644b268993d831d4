import { field } from '../../parameters/field';
import { oneOf } from '../../parameters/rules';
import { readWebhookId, setWebhookStatus, webhookOperation } from './webhooks';

/** Specification, "4. Update a webhook's status". */
export const setStatus = webhookOperation({
	name: 'Set Status',
	value: 'setStatus',
	action: 'Set webhook status',
	description: 'Switch a webhook on or off, and with it the trigger that uses it',
	properties: [
		field('Status', 'status', {
			type: 'options',
			required: true,
			options: [
				{ name: 'Active', value: 'active' },
				{ name: 'Inactive', value: 'inactive' },
			],
			default: 'active',
		}),
	],
	request: (params) =>
		setWebhookStatus(readWebhookId(params), params.required('status', oneOf('active', 'inactive'))),
});
