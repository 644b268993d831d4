import { forgedSecrets } from '../../support/calls.mts';
import { TriggerDriver } from '../../support/triggerDriver.mts';
import { startService, test } from '../fixtures.mts';

test.describe.serial('n8n stopped, and started while the service is down', () => {
	let trigger: TriggerDriver;
	let secret: string;

	test.beforeAll(async ({ n8n, environment }) => {
		trigger = await TriggerDriver.create(n8n, await startService(environment), 'Restart');
		secret = trigger.derivedSecret;
	});
	test.afterAll(async () => await trigger.service.stop());

	test('before n8n is stopped: a delivery runs the workflow', async () => {
		await trigger.publish();
		await trigger.expectDelivery();
	});

	test('started with the service down: a genuine call runs the workflow', async ({ n8n }) => {
		await n8n.stop();
		await trigger.service.stop();
		await n8n.restart();
		await trigger.expectCall(secret);
	});

	test('started with the service down: forged calls are rejected', async () => {
		for (const forged of Object.values(forgedSecrets(secret))) {
			await trigger.expectRejected(forged);
		}
		await trigger.expectCall(secret);
	});

	test('service up again: its deliveries run the workflow', async () => {
		await trigger.service.restart();
		await trigger.expectReceiving(secret);
	});

	test('after all that, unpublishing switches the webhook off', async () => {
		await trigger.unpublishAndExpectOff();
	});
});
