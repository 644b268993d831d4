import assert from 'node:assert/strict';

import { itemsOf } from '../../../tools/n8n/client.mts';
import type { Demo } from '../../../demo/demo.mts';
import { forgedSecrets } from '../../support/calls.mts';
import type { Check } from '../../support/checks.mts';
import { until, withReceiver, type Receiver } from '../../support/triggerDriver.mts';
import { TRIGGER_NODE } from '../../support/workflows.mts';

/** n8n ends a test that nothing has come for after two minutes; there is no setting for that. */
const N8N_LISTENS_MS = 120_000;

/** Whatever ended it, the webhook must be back as it was, and deliveries run the workflow. */
async function expectProduction(receiver: Receiver, timeoutMs?: number): Promise<void> {
	await until(
		() => receiver.service.webhook.url === receiver.productionUrl,
		'the webhook to be given back',
		timeoutMs,
	);
	await receiver.expectReceiving();
}

/** Listening for a test event while published, and what ends it. */
export async function checkListening(check: Check, demo: Demo): Promise<void> {
	await withReceiver(demo, 'Listening', async (receiver) => {
		const { service, workflowId, testUrl } = receiver;
		await check('publish: a delivery runs the workflow', async () => {
			await receiver.publish();
			await receiver.expectReceiving();
		});

		await check('listening borrows the webhook, with the same secret', async () => {
			await receiver.listen();
			assert.equal(service.webhook.secret, receiver.derivedSecret);
		});
		await check('listening cancelled: the next delivery runs the workflow', async () => {
			await receiver.client.stopListening(workflowId);
			await expectProduction(receiver);
		});

		await check('a forged call while listening gets 401, and listening goes on', async () => {
			await receiver.listen();
			for (const secret of Object.values(forgedSecrets(receiver.derivedSecret))) {
				await receiver.expectRefusal(secret, testUrl);
			}
			assert.equal(service.webhook.url, testUrl);
		});
		await check('an assessment finished while listening is the test event', async () => {
			const delivery = await service.finishOne();
			assert.deepEqual(
				{ url: delivery?.url, status: delivery?.status },
				{ url: testUrl, status: 200 },
			);
			assert.deepEqual(await testEvents(receiver), [delivery?.payload]);
		});
		await check('listening ended by an event: the next delivery runs the workflow', async () => {
			await expectProduction(receiver);
		});

		await check(
			'listening twice, cancelled once: the next delivery runs the workflow',
			async () => {
				await receiver.listen();
				await receiver.listen();
				await receiver.client.stopListening(workflowId);
				await expectProduction(receiver);
			},
		);
		await check(
			'published again while listening: the next delivery runs the workflow',
			async () => {
				await receiver.listen();
				await receiver.publish();
				await receiver.client.stopListening(workflowId);
				await expectProduction(receiver);
			},
		);
	});

	await withReceiver(demo, 'Listening before publishing', async (receiver) => {
		await check('listening before it was ever published, then publishing', async () => {
			await receiver.listen();
			assert.equal((await receiver.service.finishOne())?.status, 200);
			assert.equal((await testEvents(receiver)).length, 1);
			await receiver.publish();
			await expectProduction(receiver);
		});
	});
}

/** Nobody sends an event, and nobody cancels. Takes two minutes. */
export async function checkTimeout(check: Check, demo: Demo): Promise<void> {
	await withReceiver(demo, 'Listening in vain', async (receiver) => {
		await check('listening timed out: the next delivery runs the workflow', async () => {
			await receiver.publish();
			const started = Date.now();
			await receiver.listen();
			await expectProduction(receiver, N8N_LISTENS_MS + 30_000);
			assert.ok(Date.now() - started >= N8N_LISTENS_MS, 'something else has ended it');
		});
	});
}

/** What came out of the trigger in tests, when they have ended. */
async function testEvents({ client, workflowId }: Receiver): Promise<unknown[]> {
	const isTest = ({ mode }: { mode: string }) => mode === 'manual';
	const tests = async () => (await client.allExecutions(workflowId)).filter(isTest);
	await until(async () => (await tests()).length > 0, 'the test to run');
	const ended = (await tests()).map(async ({ id }) => await client.waitForExecution(id));
	return (await Promise.all(ended)).flatMap((execution) =>
		itemsOf(execution, TRIGGER_NODE).map(({ json }) => json),
	);
}
