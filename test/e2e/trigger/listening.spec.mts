import { itemsOf } from '../../../tools/n8n/client.mts';
import { forgedSecrets } from '../../support/calls.mts';
import { addressOf } from '../../support/triggerDriver.mts';
import { TRIGGER_NODE } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

test('an assessment finished during a test is the test event, forged calls are not, and production receives after it', async ({
	trigger,
}) => {
	const { client, workflowId, service } = trigger;
	await trigger.publish();
	await trigger.listen();
	for (const secret of Object.values(forgedSecrets(trigger.derivedSecret))) {
		await trigger.expectRejected(secret, trigger.testUrl);
	}
	expect(trigger.webhookAddress).toBe(trigger.testUrl);
	const delivery = await service.finishOne();
	expect(addressOf(String(delivery?.url))).toBe(trigger.testUrl);
	expect(delivery?.status).toBe(200);
	const tests = async () =>
		(await client.allExecutions(workflowId)).filter(({ mode }) => mode === 'manual');
	await expect.poll(async () => (await tests()).length).toBe(1);
	const [{ id }] = await tests();
	const items = itemsOf(await client.waitForExecution(id), TRIGGER_NODE);
	expect(items.map(({ json }) => json)).toEqual([delivery?.payload]);
	await trigger.expectGivenBack();
	await trigger.expectReceiving();
});
