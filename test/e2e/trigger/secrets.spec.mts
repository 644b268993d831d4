import { expect, test } from '../fixtures.mts';

test.describe('rotated access token', () => {
	let before: string;

	test.beforeEach(async ({ trigger }) => {
		before = trigger.derivedSecret;
		await trigger.publish();
		await trigger.service.stop();
		await trigger.service.restart('a-new-access-token');
		await trigger.updateCredential();
		expect(trigger.derivedSecret).not.toBe(before);
	});

	test('the registered secret is still accepted', async ({ trigger }) => {
		trigger.expectRegistered(before);
		await trigger.expectDelivery();
	});

	test('publishing again registers the new secret', async ({ trigger }) => {
		await trigger.publish();
		await trigger.expectReceiving();
	});

	test('after publishing again the old secret does not count any more', async ({ trigger }) => {
		await trigger.publish();
		await trigger.expectRejected(before);
		await trigger.expectDelivery();
	});
});

test.describe('secret of the user', () => {
	const [first, second] = ['the first secret of 1', 'the second secret of 2'];

	test.beforeEach(async ({ trigger }) => {
		await trigger.updateCredential(first);
		await trigger.publish();
	});

	test('it is registered', async ({ trigger }) => {
		await trigger.expectReceiving(first);
	});

	test('changed: the registered one is accepted until published again', async ({ trigger }) => {
		await trigger.updateCredential(second);
		await trigger.expectReceiving(first);
	});

	test('changed: after publishing again the new one counts alone', async ({ trigger }) => {
		await trigger.updateCredential(second);
		await trigger.publish();
		await trigger.expectReceiving(second);
		await trigger.expectRejected(first);
		await trigger.expectDelivery();
	});

	test('too short: it is not registered', async ({ trigger }) => {
		await trigger.updateCredential('too short');
		await expect(trigger.publish()).rejects.toThrow(/must have at least 16 characters/);
		expect(trigger.service.webhook.status).toBe('inactive');
		expect(trigger.service.webhook.secret).not.toBe('too short');
	});
});
