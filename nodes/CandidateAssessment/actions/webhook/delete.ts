import type { Operation } from '../operation';
import { noSuchWebhook, webhookIdField, webhookPath } from './webhookId';

/** Specification, "5. Delete a webhook". */
export const deleteWebhook: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete a webhook',
	description: 'Delete a webhook for good',
	fields: [
		webhookIdField,
		{
			displayName:
				'A deleted webhook cannot be brought back. To pause it, set its status to inactive instead.',
			name: 'deleteNotice',
			type: 'notice',
			default: '',
		},
	],
	request: (given) => ({ method: 'DELETE', path: webhookPath(given) }),
	inPlainWords: noSuchWebhook,
};
