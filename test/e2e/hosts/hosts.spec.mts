/** The addresses that n8n hands out: they depend on its settings. */
import { randomUUID } from 'node:crypto';

import { TriggerDriver } from '../../support/triggerDriver.mts';
import { createCredential } from '../../support/credentials.mts';
import { TRIGGER_NODE, triggerWorkflow } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

test.describe('with the editor at another host than the webhooks', () => {
	test.beforeAll(async ({ n8n }) => {
		await n8n.stop();
		const { port } = new URL(n8n.baseUrl);
		await n8n.restart({
			N8N_EDITOR_BASE_URL: `http://localhost:${port}/`,
			WEBHOOK_URL: n8n.baseUrl,
			// It would hold for tests, too.
			N8N_WEBHOOK_URL: '',
		});
	});

	test('a test borrows the webhook and gives it back, and production receives', async ({
		trigger,
	}) => {
		await trigger.publish();
		const before = { ...trigger.service.webhook };
		await trigger.startListening();
		const address = trigger.testUrl.replace('127.0.0.1', 'localhost');
		expect(trigger.webhookAddress).toBe(address);
		await trigger.client.stopListening(trigger.workflowId);
		await expect.poll(() => trigger.service.webhook).toEqual(before);
		await trigger.expectReceiving();
		await trigger.unpublishAndExpectOff();
	});

	test('publishing refuses a webhook that another workflow is to get back after a test', async ({
		n8n,
		trigger: first,
	}) => {
		await first.publish();
		await first.startListening();
		const second = await TriggerDriver.create(n8n, first.service, 'Another');
		await expect(second.publish()).rejects.toThrow(/Unpublish the workflow that has this webhook/);
		await first.client.stopListening(first.workflowId);
		await expect.poll(() => first.webhookAddress).toBe(first.productionUrl);
		await first.expectReceiving();
	});
});

test('without WEBHOOK_URL, nothing is registered at a service on the internet, and the error says what to set', async ({
	n8n,
	service,
}) => {
	await n8n.stop();
	await n8n.restart({ N8N_HOST: 'localhost', WEBHOOK_URL: '', N8N_WEBHOOK_URL: '' });
	const { client } = n8n;
	const { accessToken, webhookId } = service;
	const credential = await createCredential(client, {
		baseUrl: 'https://assessment.example.com',
		accessToken,
	});
	const { id } = await client.createWorkflow(
		triggerWorkflow({ name: 'Unreachable', credential, webhookId, path: randomUUID() }),
	);
	const words =
		/Set n8n's environment variable WEBHOOK_URL .* Now it's http:\/\/localhost:\d+, where the service would find itself/;
	await expect(client.publish(id, { timeoutMs: 120_000 })).rejects.toThrow(words);
	await expect(client.listen(id, TRIGGER_NODE)).rejects.toThrow(words);
});
