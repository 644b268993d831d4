/** What a trigger must not lose, nor take, when something goes wrong around it: what only a real n8n shows. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { call } from '../../support/calls.mts';
import { TriggerDriver } from '../../support/triggerDriver.mts';
import { RESULT_READY } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

test('a test leaves a receiver elsewhere alone, and says what to do', async ({ trigger }) => {
	const { service } = trigger;
	await service.request('PUT', `/webhooks/${service.webhookId}`, {
		name: 'Elsewhere',
		url: 'http://127.0.0.1:9/elsewhere?key=private',
		events: [RESULT_READY],
		secret: 'the secret of somebody else',
	});
	const before = { ...service.webhook, status: 'active' };
	await expect(trigger.startListening()).rejects.toThrow(
		/Publish this workflow once, then test\. .* The webhook points to http:\/\/127\.0\.0\.1:9\/elsewhere, .* If the webhook was off, it's on now\./,
	);
	expect(service.webhook).toEqual(before);
});

test('a test that is stopped while it begins gives back what it takes after that', async ({
	trigger,
}) => {
	const { service, client, workflowId } = trigger;
	await trigger.publish();
	const { requests, faults } = service.running;
	const before = requests.length;
	faults.inject({ route: '*', delayMs: 2_500, times: 2 });
	const beginning = trigger.startListening();
	await setTimeout(800);
	await client.stopListening(workflowId);
	await beginning;
	await expect
		.poll(() => requests.slice(before).map(({ route }) => route))
		.toEqual([...['setWebhookStatus', 'updateWebhook'], ...['setWebhookStatus', 'updateWebhook']]);
	await trigger.expectReceiving();
});

test('after a test that ended while the service was down, production receives and tests can start', async ({
	trigger,
}) => {
	const { service, client, workflowId } = trigger;
	await trigger.publish();
	await trigger.listen();
	await service.stop();
	await client.stopListening(workflowId);
	await setTimeout(15_000);
	await service.restart();
	await trigger.expectGivenBack(60_000);
	await trigger.expectReceiving();
	await trigger.listen();
	await trigger.stopListening();
});

test('publishing refuses a webhook that another published workflow has, until that is unpublished', async ({
	n8n,
	trigger: first,
}) => {
	const second = await TriggerDriver.create(n8n, first.service, 'New owner');
	await first.publish();
	await expect(second.publish()).rejects.toThrow(/Unpublish the workflow that has this webhook/);
	await first.expectReceiving();
	await first.unpublish();
	await second.publish();
	await setTimeout(8_000);
	await second.expectReceiving();
});

test('publishing a trigger that took the place of another one in its workflow is not refused, and never has the webhook off', async ({
	trigger,
}) => {
	const { client, service } = trigger;
	await trigger.publish();
	const { requests } = service.running;
	const before = requests.length;
	const path = randomUUID();
	await trigger.edit({ id: randomUUID(), webhookId: path });
	// 1.x has published what was saved.
	if (!client.isVersion1) await trigger.publish();
	await setTimeout(8_000);
	const bodies = requests.slice(before).map(({ body }) => body);
	expect(bodies).not.toContainEqual({ status: 'inactive' });
	expect(trigger.webhookAddress).toBe(`${client.baseUrl}/webhook/${path}/webhook`);
	const secret = trigger.derivedSecret;
	expect(await call(trigger.webhookAddress, { secret, body: {} })).toBe(200);
});

// It stops n8n, and comes last.

test('a webhook that a killed n8n left with a test is borrowed and given back again', async ({
	n8n,
	trigger,
}) => {
	await trigger.publish();
	await trigger.listen();
	await n8n.kill();
	await n8n.restart();
	await trigger.listen();
	await trigger.stopListening();
	await trigger.expectReceiving();
});
