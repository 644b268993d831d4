import { itemsOf } from '../../../tools/n8n/client.mts';
import { forgedSecrets } from '../../support/calls.mts';
import { addressOf, type TriggerDriver } from '../../support/triggerDriver.mts';
import { TRIGGER_NODE } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

/** Whatever ended it, the webhook must be back as it was, and deliveries run the workflow. */
async function expectProduction(trigger: TriggerDriver): Promise<void> {
	await trigger.expectGivenBack();
	await trigger.expectReceiving();
}

/** What came out of the trigger in its one test, when that has ended. */
async function testEvent({ client, workflowId }: TriggerDriver): Promise<unknown> {
	const tests = async () =>
		(await client.allExecutions(workflowId)).filter(({ mode }) => mode === 'manual');
	await expect.poll(async () => (await tests()).length).toBe(1);
	const [{ id }] = await tests();
	const items = itemsOf(await client.waitForExecution(id), TRIGGER_NODE);
	expect(items).toHaveLength(1);
	return items[0].json;
}

test.describe('once published', () => {
	test.beforeEach(async ({ trigger }) => await trigger.publish());

	test('a test borrows the webhook with the same secret, and gives it back when it is canceled', async ({
		trigger,
	}) => {
		await trigger.listen();
		expect(trigger.service.webhook.secret).toBe(trigger.derivedSecret);
		await trigger.stopListening();
		await expectProduction(trigger);
	});

	test('a forged call during a test gets 401, and the test goes on', async ({ trigger }) => {
		await trigger.listen();
		for (const secret of Object.values(forgedSecrets(trigger.derivedSecret))) {
			await trigger.expectRejected(secret, trigger.testUrl);
		}
		expect(trigger.webhookAddress).toBe(trigger.testUrl);
	});

	test('an assessment finished during a test is the test event, and ends it', async ({
		trigger,
	}) => {
		await trigger.listen();
		const delivery = await trigger.service.finishOne();
		expect(addressOf(String(delivery?.url))).toBe(trigger.testUrl);
		expect(delivery?.status).toBe(200);
		expect(await testEvent(trigger)).toEqual(delivery?.payload);
		await expectProduction(trigger);
	});

	for (const again of ['listen', 'publish'] as const) {
		test(`after another ${again} during a test that is then canceled, the next delivery runs the workflow`, async ({
			trigger,
		}) => {
			await trigger.listen();
			await trigger[again]();
			await trigger.stopListening();
			await expectProduction(trigger);
		});
	}
});
