import { TriggerDriver } from '../../support/triggerDriver.mts';
import { expect, startService, test } from '../fixtures.mts';

// The service breaks down halfway through publishing: n8n takes most of a minute to give up.
test.describe.serial('service broken', () => {
	let trigger: TriggerDriver;

	test.beforeAll(async ({ n8n, environment }) => {
		trigger = await TriggerDriver.create(n8n, await startService(environment), 'Service broken');
	});
	test.afterAll(async () => await trigger.service.stop());

	test('service breaks while publishing: no webhook is left active', async () => {
		const { service } = trigger;
		service.running.faults.inject({
			route: 'setWebhookStatus',
			status: 500,
			times: 100,
			when: ({ body }) => (body as { status?: string }).status === 'active',
		});
		await expect(trigger.publish()).rejects.toThrow(/The service couldn't process the request/);
		expect(trigger.webhookAddress, 'it broke halfway').toBe(trigger.productionUrl);
		service.running.faults.clear();
		await expect.poll(() => service.webhook.status).toBe('inactive');
	});

	test('service mended: publishing again works', async () => {
		await trigger.publish();
		await trigger.expectReceiving();
	});
});
