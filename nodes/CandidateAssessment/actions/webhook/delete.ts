import type { Operation } from '../operation';
import { webhookNotFound, webhookIdProperty, webhookPath } from './webhookId';

/** Specification, "5. Delete a webhook". */
export const deleteWebhook: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete a webhook',
	description: 'Delete a webhook for good',
	properties: [
		webhookIdProperty,
		{
			displayName:
				'A deleted webhook cannot be brought back. To pause it, set its status to inactive instead.',
			name: 'deleteNotice',
			type: 'notice',
			default: '',
		},
	],
	request: (params) => ({ method: 'DELETE', path: webhookPath(params) }),
	statusMessages: webhookNotFound,
};
