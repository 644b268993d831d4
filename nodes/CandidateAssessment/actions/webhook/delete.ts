import type { Operation } from '../operation';
import {
	webhookIdProperty,
	webhookKey,
	webhookNotFound,
	webhookPath,
	withoutSecret,
} from './webhookId';

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
	isRepeatable: true,
	sequenceKey: webhookKey,
	doneIfRepeated: { 404: { is_deleted: true } },
	output: () => async (data) => ({ json: { ...withoutSecret(data), deleted: true } }),
	statusMessages: webhookNotFound,
};
