import { notice } from '../../parameters/field';
import { readWebhookId, webhookOperation, webhookPath, withoutSecret } from './webhooks';

/** Specification, "5. Delete a webhook". */
export const deleteWebhook = webhookOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete webhook',
	description: 'Delete a webhook permanently',
	properties: [
		notice(
			'deleteNotice',
			"A deleted webhook can't be restored. To pause it, set its status to inactive instead.",
		),
	],
	request: (params) => ({ method: 'DELETE', path: webhookPath(readWebhookId(params)) }),
	successOnRetry: { 404: { is_deleted: true } },
	output: () => async (data) => ({ json: { ...withoutSecret(data), deleted: true } }),
});
