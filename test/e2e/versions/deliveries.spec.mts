import { call, forgedSecrets } from '../../support/calls.mts';
import { expect, test } from '../fixtures.mts';

test.beforeEach(async ({ trigger }) => await trigger.publish());

test('publishing registers the webhook, and each genuine delivery runs the workflow once', async ({
	trigger,
}) => {
	await trigger.expectReceiving();
	await trigger.expectDelivery();
});

for (const contentType of ['', 'text/plain', 'application/vnd.partner+json']) {
	test(`a genuine call with the content type "${contentType}" brings its whole body`, async ({
		trigger,
	}) => {
		await trigger.expectCall(trigger.derivedSecret, contentType);
	});
}

test('forged calls get 401 and run nothing', async ({ trigger }) => {
	for (const forged of Object.values(forgedSecrets(trigger.derivedSecret))) {
		await trigger.expectRejected(forged);
	}
	await trigger.expectDelivery();
});

test('unpublishing switches the webhook off', async ({ trigger }) => {
	await trigger.unpublishAndExpectOff();
	const { productionUrl, derivedSecret: secret } = trigger;
	expect(await call(productionUrl, { secret, body: {} }), 'n8n takes no calls').toBe(404);
});
