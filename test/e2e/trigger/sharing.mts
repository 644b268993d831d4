import assert from 'node:assert/strict';

import type { Demo } from '../../../demo/demo.mts';
import type { Check } from '../../support/checks.mts';
import { Receiver, withReceiver } from '../../support/triggerDriver.mts';

/** Two workflows are given the same webhook. */
export async function checkSharing(check: Check, demo: Demo): Promise<void> {
	await withReceiver(demo, 'First of two', async (first) => {
		const second = await Receiver.create(demo, 'Second of two', first.service);
		await check('two workflows, one webhook: the last published receives, alone', async () => {
			await first.publish();
			await first.expectDelivery();
			await second.publish();
			await second.expectReceiving();
			await first.expectNoOtherRun();
		});
		await check('unpublishing the first does not silence the second', async () => {
			await first.unpublish();
			await second.expectReceiving();
		});
		await check('unpublishing the second switches the webhook off', async () => {
			await second.unpublish();
			assert.equal(second.service.webhook.status, 'inactive');
		});
	});
}
