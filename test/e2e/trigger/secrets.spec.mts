import { expect, test } from '../fixtures.mts';

test('rotated access token: the registered secret counts until published again', async ({
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

test('secret of the user: the registered one counts until published again', async ({ trigger }) => {
	const [first, second] = ['the first secret of 1', 'the second secret of 2'];
	await trigger.updateCredential(first);
	await trigger.publish();
	await trigger.expectReceiving(first);
	await trigger.updateCredential(second);
	await trigger.expectReceiving(first);
	await trigger.publish();
	await trigger.expectRejected(first);
	await trigger.expectReceiving(second);
});
