import { expect, test } from '../fixtures.mts';

test('a rotated access token leaves the registered secret in force until publishing again', async ({
	trigger,
}) => {
	const before = trigger.derivedSecret;
	await trigger.publish();
	await trigger.service.stop();
	await trigger.service.restart('a-new-access-token');
	await trigger.updateCredential();
	expect(trigger.derivedSecret).not.toBe(before);
	trigger.expectRegistered(before);
	await trigger.expectDelivery();
	await trigger.publish();
	await trigger.expectRejected(before);
	await trigger.expectReceiving();
});
