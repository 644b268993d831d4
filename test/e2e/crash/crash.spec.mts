import { forgedSecrets } from '../../support/calls.mts';
import { TriggerDriver } from '../../support/triggerDriver.mts';
import { expect, startService, test } from '../fixtures.mts';

test.describe.serial('n8n killed between deliveries, and restarted', () => {
	let trigger: TriggerDriver;
	let secret: string;

	test.beforeAll(async ({ n8n, environment }) => {
		trigger = await TriggerDriver.create(n8n, await startService(environment), 'Crash');
		secret = trigger.derivedSecret;
	});
	test.afterAll(async () => await trigger.service.stop());

	const expectTwoDeliveries = async () => {
		await trigger.expectDelivery();
		await trigger.expectDelivery();
	};
	const expectForgedRejected = async () => {
		for (const forged of Object.values(forgedSecrets(secret))) await trigger.expectRejected(forged);
		await trigger.expectDelivery();
	};

	test('before: each delivery runs the workflow once', async () => {
		await trigger.publish();
		await expectTwoDeliveries();
	});

	test('before: forged calls stay out', async () => await expectForgedRejected());

	test('killed: a delivery meets nobody', async ({ n8n }) => {
		await n8n.kill();
		expect((await n8n.process.exited).signal).toBe('SIGKILL');
		const delivery = await trigger.service.finishOne();
		expect(delivery?.error).toBe('ECONNREFUSED');
	});

	test('after: forged calls stay out', async ({ n8n }) => {
		await n8n.restart();
		await expectForgedRejected();
	});

	test('after: the webhook is registered as before', () => trigger.expectRegistered(secret));

	test('after: each delivery runs the workflow once', async () => await expectTwoDeliveries());

	test('after: the delivery that was missed runs when sent again', async () => {
		const { running } = trigger.service;
		const [missed] = running.deliveries.filter(({ error }) => error);
		const delivery = await running.redeliver(missed.id);
		expect(delivery.status).toBe(200);
		await trigger.expectRun(missed.payload);
	});
});
