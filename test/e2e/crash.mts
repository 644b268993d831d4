/** n8n is killed between deliveries, and started again on the same data and port. */
import assert from 'node:assert/strict';

import { forgedSecrets } from '../support/calls.mts';
import type { Checks } from '../support/checks.mts';
import { startAgain, withRealN8n } from '../support/testEnvironment.mts';
import { withReceiver } from '../support/triggerDriver.mts';
import { LINES } from './versions.mts';

export default async function crash(checks: Checks): Promise<void> {
	for (const line of LINES) {
		await withRealN8n(
			`crash-${line}`,
			line,
			async (demo, ground) => {
				const check = checks.about(`n8n ${demo.client.version}`);
				await withReceiver(demo, 'Crash', async (receiver) => {
					const secret = receiver.derivedSecret;
					const forged = async () => {
						for (const one of Object.values(forgedSecrets(secret))) {
							await receiver.expectRefusal(one);
						}
						await receiver.expectNoOtherRun();
					};
					await check('before: each delivery runs the workflow once', async () => {
						await receiver.publish();
						await receiver.expectDelivery();
						await receiver.expectDelivery();
					});
					await check('before: forged calls stay out', forged);

					await check('killed: a delivery meets nobody', async () => {
						await demo.n8n.kill();
						assert.equal((await demo.n8n.exited).signal, 'SIGKILL');
						const delivery = await receiver.service.finishOne();
						assert.equal(delivery?.error, 'ECONNREFUSED');
					});
					await startAgain(demo, ground);

					await check('after: forged calls stay out', forged);
					await check('after: the webhook is registered as before', async () => {
						receiver.expectRegistered(secret);
					});
					await check('after: each delivery runs the workflow once', async () => {
						await receiver.expectDelivery();
						await receiver.expectDelivery();
					});
					await check('after: the delivery that was missed runs when sent again', async () => {
						const [missed] = receiver.service.running.deliveries.filter(({ error }) => error);
						const delivery = await receiver.service.running.redeliver(missed.id);
						assert.equal(delivery.status, 200);
						await receiver.expectRun(missed.payload);
					});
				});
			},
			checks,
		);
	}
}
