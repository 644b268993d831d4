import { notice } from '../../parameters/field';
import type { Operation } from '../operation';
import {
	webhookId,
	webhookIdProperty,
	webhookOperation,
	webhookPath,
	withoutSecret,
} from './webhooks';

/** Specification, "5. Delete a webhook". */
export const deleteWebhook: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete webhook',
	description: 'Delete a webhook permanently',
	properties: [
		webhookIdProperty,
		notice(
			'deleteNotice',
			"A deleted webhook can't be restored. To pause it, set its status to inactive instead.",
		),
	],
	request: (params) => ({ method: 'DELETE', path: webhookPath(webhookId(params)) }),
	...webhookOperation,
	successOnRetry: { 404: { is_deleted: true } },
	output: () => async (data) => ({ json: { ...withoutSecret(data), deleted: true } }),
};
