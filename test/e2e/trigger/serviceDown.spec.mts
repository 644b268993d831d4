import { TriggerDriver } from '../../support/triggerDriver.mts';
import { expect, startService, test } from '../fixtures.mts';

// The service is down when somebody publishes: n8n takes most of a minute to give up.
test.describe.serial('service down', () => {
	let trigger: TriggerDriver;

	test.beforeAll(async ({ n8n, environment }) => {
		const service = await startService(environment);
		trigger = await TriggerDriver.create(n8n, service, 'Service down');
		await service.stop();
	});
	test.afterAll(async () => await trigger.service.stop());

	test('publishing says so in plain words', async () => {
		await expect(trigger.publish()).rejects.toThrow(/Couldn't connect to the service/);
	});

	test('the webhook is left alone', async () => {
		const { service } = trigger;
		await service.restart();
		expect(service.webhook).toMatchObject({ status: 'inactive', secret: null });
		expect(trigger.webhookAddress).not.toBe(trigger.productionUrl);
	});

	test('service up again: publishing again works', async () => {
		await trigger.publish();
		await trigger.expectReceiving();
	});
});
