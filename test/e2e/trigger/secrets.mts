import assert from 'node:assert/strict';

import type { Demo } from '../../../demo/demo.mts';
import type { Check } from '../../support/checks.mts';
import { withReceiver } from '../../support/triggerDriver.mts';

/** The access token is rotated; the webhook secret is given, and changed. */
export async function checkSecrets(check: Check, demo: Demo): Promise<void> {
	await withReceiver(demo, 'Rotated token', async (receiver) => {
		const { service } = receiver;
		const before = receiver.derivedSecret;
		await check('rotated access token: the registered secret is still let in', async () => {
			await receiver.publish();
			await service.goAway();
			await service.comeBack('a-new-access-token');
			await receiver.updateCredential();
			receiver.expectRegistered(before);
			assert.notEqual(receiver.derivedSecret, before);
			await receiver.expectDelivery();
		});
		await check('rotated access token: publishing again registers the new secret', async () => {
			await receiver.publish();
			await receiver.expectReceiving();
		});
		await check('rotated access token: the old secret does not count any more', async () => {
			await receiver.expectRefusal(before);
			await receiver.expectNoOtherRun();
		});
	});

	await withReceiver(demo, 'Changed secret', async (receiver) => {
		const [first, second] = ['the first secret of 1', 'the second secret of 2'];
		await check('a secret of the user is registered', async () => {
			await receiver.updateCredential(first);
			await receiver.publish();
			await receiver.expectReceiving(first);
		});
		await check('changed secret: the registered one is let in until published again', async () => {
			await receiver.updateCredential(second);
			await receiver.expectReceiving(first);
		});
		await check('changed secret: after publishing again the new one counts alone', async () => {
			await receiver.publish();
			await receiver.expectReceiving(second);
			await receiver.expectRefusal(first);
			await receiver.expectNoOtherRun();
		});
		await check('a secret that is too short is not registered', async () => {
			await receiver.updateCredential('too short');
			await assert.rejects(receiver.publish(), /must have at least 16 characters/);
			assert.equal(receiver.service.webhook.status, 'inactive');
			assert.equal(receiver.service.webhook.secret, second);
		});
	});
}
