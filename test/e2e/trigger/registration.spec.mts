import { RESULT_READY } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

test('publishing again heals a webhook that somebody has changed', async ({ trigger }) => {
	const { service } = trigger;
	await trigger.publish();
	await service.request('PUT', `/webhooks/${service.webhookId}`, {
		name: 'Mine',
		url: 'http://127.0.0.1:9/elsewhere',
		events: [RESULT_READY],
		secret: 'another secret altogether',
	});
	await service.request('PUT', `/webhooks/${service.webhookId}/status`, { status: 'inactive' });
	await trigger.publish();
	await trigger.expectReceiving();
});

test('a webhook that somebody has deleted can be unpublished, and publishing says that it is gone', async ({
	trigger,
}) => {
	const { service, client, workflowId } = trigger;
	await trigger.publish();
	await service.request('DELETE', `/webhooks/${service.webhookId}`);
	await trigger.unpublish();
	expect((await client.getWorkflow(workflowId)).active).toBe(false);
	const lastStatus = () => service.running.requests.at(-1)?.status;
	await expect.poll(lastStatus, { message: 'the service was asked' }).toBe(404);
	await expect(trigger.publish()).rejects.toThrow(/No webhook with this ID exists/);
});
