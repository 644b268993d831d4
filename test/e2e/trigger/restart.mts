import assert from 'node:assert/strict';

import type { Demo } from '../../../demo/demo.mts';
import { forgedSecrets } from '../../support/calls.mts';
import type { Check } from '../../support/checks.mts';
import { startAgain, type Ground } from '../../support/testEnvironment.mts';
import { withReceiver } from '../../support/triggerDriver.mts';

/** n8n is stopped, and started again while the service is down. */
export async function checkRestart(check: Check, demo: Demo, ground: Ground): Promise<void> {
	await withReceiver(demo, 'Restart', async (receiver) => {
		const { service } = receiver;
		const secret = receiver.derivedSecret;
		await check('before n8n is stopped: a delivery runs the workflow', async () => {
			await receiver.publish();
			await receiver.expectDelivery();
		});
		await demo.n8n.stop();
		await service.goAway();
		await startAgain(demo, ground);

		await check('n8n started with the service down: a genuine call runs the workflow', async () => {
			await receiver.expectCall(secret);
		});
		await check('n8n started with the service down: forged calls are turned away', async () => {
			for (const forged of Object.values(forgedSecrets(secret))) {
				await receiver.expectRefusal(forged);
			}
			await receiver.expectNoOtherRun();
		});
		await service.comeBack();
		await check('service up again: its deliveries run the workflow', async () => {
			await receiver.expectReceiving(secret);
		});
		await check('after all that, unpublishing switches the webhook off', async () => {
			await receiver.unpublish();
			assert.equal(service.webhook.status, 'inactive');
		});
	});
}
