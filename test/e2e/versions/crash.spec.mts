import { forgedSecrets } from '../../support/calls.mts';
import { expect, test } from '../support/fixtures.mts';

test('a trigger receives again after n8n was killed, and restarted while the service was down', async ({
	n8n,
	trigger,
}) => {
	const { service, derivedSecret: secret } = trigger;
	await trigger.publish();
	await trigger.expectDelivery();

	await n8n.kill();
	expect((await n8n.process.exited).signal).toBe('SIGKILL');
	expect((await service.finishOne())?.error, 'a delivery while n8n is down').toBe('ECONNREFUSED');

	await service.stop();
	await n8n.restart();
	await trigger.expectCall(secret);
	for (const forged of Object.values(forgedSecrets(secret))) await trigger.expectRejected(forged);
	await service.restart();
	await trigger.expectReceiving(secret);
	await trigger.expectDelivery();

	const [missed] = service.running.deliveries.filter(({ error }) => error);
	expect((await service.running.redeliver(missed.id)).status, 'sent again').toBe(200);
	await trigger.expectRun(missed.payload);
});
