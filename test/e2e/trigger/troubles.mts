import assert from 'node:assert/strict';

import type { Demo } from '../../../demo/demo.mts';
import type { Check } from '../../support/checks.mts';
import { withReceiver, type Receiver } from '../../support/triggerDriver.mts';
import { RESULT_READY } from '../../support/workflows.mts';

/** The service is down, or breaks down halfway, when somebody publishes. n8n tries five times. */
export async function checkServiceDown(check: Check, demo: Demo): Promise<void> {
	const recovers = async (receiver: Receiver) => {
		await receiver.publish();
		await receiver.expectReceiving();
	};
	const down = withReceiver(demo, 'Service down', async (receiver) => {
		const { service } = receiver;
		await service.goAway();
		await check('service down: publishing says so in plain words', async () => {
			await assert.rejects(receiver.publish(), /The service cannot be reached/);
		});
		await service.comeBack();
		await check('service down: the webhook is left alone', async () => {
			const { status, url, secret } = service.webhook;
			assert.equal(status, 'inactive');
			assert.notEqual(url, receiver.productionUrl);
			assert.equal(secret, null);
		});
		await check('service up again: publishing again works', async () => await recovers(receiver));
	});
	const broken = withReceiver(demo, 'Service broken', async (receiver) => {
		const { service } = receiver;
		await check('service breaks while publishing: no webhook is left active', async () => {
			service.running.faults.inject({
				route: 'setWebhookStatus',
				status: 500,
				times: 100,
				when: ({ body }) => (body as { status?: string }).status === 'active',
			});
			await assert.rejects(receiver.publish(), /The service has a problem of its own/);
			assert.equal(service.webhook.url, receiver.productionUrl, 'it was to break halfway');
			assert.equal(service.webhook.status, 'inactive');
		});
		service.running.faults.clear();
		await check('service mended: publishing again works', async () => await recovers(receiver));
	});
	await Promise.all([down, broken]);
}

/** Somebody changed the webhook at the service, past n8n. */
export async function checkChanged(check: Check, demo: Demo): Promise<void> {
	await withReceiver(demo, 'Changed behind its back', async (receiver) => {
		const { service } = receiver;
		await check('webhook changed behind its back: publishing again heals it', async () => {
			await receiver.publish();
			await service.request('PUT', `/webhooks/${service.webhookId}`, {
				name: 'Mine',
				url: 'http://127.0.0.1:9/elsewhere',
				events: [RESULT_READY],
				secret: 'another secret altogether',
			});
			await service.request('PUT', `/webhooks/${service.webhookId}/status`, { status: 'inactive' });
			await receiver.publish();
			await receiver.expectReceiving();
		});
	});
}

/** Somebody deleted the webhook at the service, past n8n. */
export async function checkDeleted(check: Check, demo: Demo): Promise<void> {
	await withReceiver(demo, 'Deleted behind its back', async (receiver) => {
		const { service, client, workflowId } = receiver;
		await check('webhook deleted behind its back: unpublishing works', async () => {
			await receiver.publish();
			await service.request('DELETE', `/webhooks/${service.webhookId}`);
			await receiver.unpublish();
			assert.equal((await client.getWorkflow(workflowId)).active, false);
			assert.equal(service.running.requests.at(-1)?.status, 404, 'the service was not asked');
		});
		await check('webhook deleted behind its back: publishing says so', async () => {
			await assert.rejects(receiver.publish(), /There is no webhook with this ID \(any more\)/);
		});
	});
}
