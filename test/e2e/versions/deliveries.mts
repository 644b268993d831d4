import assert from 'node:assert/strict';

import type { Demo } from '../../../demo/demo.mts';
import { call, forgedSecrets } from '../../support/calls.mts';
import type { Check } from '../../support/checks.mts';
import { withReceiver } from '../../support/triggerDriver.mts';

/** Publishing, calls from the service and from others, unpublishing. */
export async function checkDeliveries(check: Check, demo: Demo): Promise<void> {
	await withReceiver(demo, 'Deliveries', async (receiver) => {
		await check('publishing registers address and secret, and switches on', async () => {
			await receiver.publish();
			receiver.expectRegistered(receiver.derivedSecret);
		});
		await check('a genuine delivery runs the workflow once, with its body', async () => {
			await receiver.expectDelivery();
		});
		for (const contentType of ['', 'text/plain', 'application/vnd.partner+json']) {
			await check(`with the content type "${contentType}" its body comes whole too`, async () => {
				await receiver.expectCall(receiver.derivedSecret, contentType);
			});
		}
		for (const [kind, secret] of Object.entries(forgedSecrets(receiver.derivedSecret))) {
			await check(`a call with ${kind} gets 401 and runs nothing`, async () => {
				await receiver.expectRefusal(secret);
				await receiver.expectNoOtherRun();
			});
		}
		await check('an event of another kind gets 200 and runs nothing', async () => {
			const body = { event: 'candidate_application_withdrawn' };
			assert.equal(
				await call(receiver.productionUrl, { secret: receiver.derivedSecret, body }),
				200,
			);
			await receiver.expectNoOtherRun();
		});
		await check('the next genuine delivery runs the workflow again', async () => {
			await receiver.expectDelivery();
		});
		await check('unpublishing switches the webhook off', async () => {
			await receiver.unpublish();
			assert.equal(receiver.service.webhook.status, 'inactive');
			const { productionUrl: url, derivedSecret: secret } = receiver;
			assert.equal(await call(url, { secret, body: {} }), 404, 'n8n still takes calls');
		});
	});
}
