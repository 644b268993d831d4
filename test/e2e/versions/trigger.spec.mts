/** What a trigger must not lose, nor take, when something goes wrong around it. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import type { StoredWebhook } from '../../../mock-service/types.mts';
import { TRIGGER } from '../../../demo/workflows/parts.mts';
import { call } from '../../support/calls.mts';
import { createCredential } from '../../support/credentials.mts';
import { TriggerDriver } from '../../support/triggerDriver.mts';
import { RESULT_READY, TRIGGER_NODE } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

const ELSEWHERE = {
	name: 'Elsewhere',
	url: 'http://127.0.0.1:9/elsewhere?key=private',
	events: [RESULT_READY],
	secret: 'the secret of somebody else',
};

/** Somebody else has the webhook. */
async function takenElsewhere({ service }: TriggerDriver): Promise<StoredWebhook> {
	const path = `/webhooks/${service.webhookId}`;
	await service.request('PUT', path, ELSEWHERE);
	await service.request('PUT', `${path}/status`, { status: 'active' });
	return { ...service.webhook };
}

test('a test leaves a receiver elsewhere alone, and says what to do', async ({ trigger }) => {
	const before = await takenElsewhere(trigger);
	await expect(trigger.startListening()).rejects.toThrow(
		/Publish this workflow once, then test\. .* The webhook points to http:\/\/127\.0\.0\.1:9\/elsewhere, .* If the webhook was off, it's on now\./,
	);
	expect(trigger.service.webhook).toEqual(before);
});

test('a test leaves a webhook off that was switched off', async ({ trigger }) => {
	await trigger.publish();
	await trigger.unpublishAndExpectOff();
	await trigger.listen();
	await trigger.stopListening();
	await expect.poll(() => trigger.service.webhook.status).toBe('inactive');
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

test('a test fails at once if the service asks to wait for a minute, and takes nothing', async ({
	trigger,
}) => {
	const { service } = trigger;
	await trigger.publish();
	const before = { ...service.webhook };
	service.running.faults.inject({ route: '*', status: 429, retryAfter: 60, times: 2 });
	const began = Date.now();
	await expect(trigger.startListening()).rejects.toThrow(/The service asks to wait 60 seconds/);
	expect(Date.now() - began).toBeLessThan(10_000);
	service.running.faults.clear();
	await trigger.expectReceiving();
	expect(service.webhook).toEqual(before);
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

test('publishing a changed trigger never switches the webhook off', async ({ trigger }) => {
	const { service } = trigger;
	const { faults, requests } = service.running;
	await trigger.publish();
	const before = requests.length;
	faults.inject({ route: '*', delayMs: 300, times: 100 });
	const published = trigger.republish({ parameters: { options: { webhookName: 'Changed' } } });
	const answers: Array<Promise<number>> = [];
	while (answers.length < 40) {
		const { url, secret, status } = service.webhook;
		expect(status).toBe('active');
		answers.push(call(url, { secret: String(secret), body: { event: RESULT_READY } }));
		await setTimeout(100);
	}
	await published;
	const statuses = requests.slice(before).map(({ body }) => body);
	expect(statuses).not.toContainEqual({ status: 'inactive' });
	expect(service.webhook.name).toBe('Changed');
	const turnedAway = (await Promise.all(answers)).filter((status) => status !== 200);
	// While n8n registers the new version, it answers by itself.
	expect(new Set([404, ...turnedAway])).toEqual(new Set([404]));
	const description = `n8n turned away ${turnedAway.length} of ${answers.length} deliveries`;
	test.info().annotations.push({ type: 'figure', description });
});

test('publishing refuses a webhook that another published workflow has; unpublished, that one is out of the way', async ({
	n8n,
	trigger: first,
}) => {
	const { service } = first;
	const second = await TriggerDriver.create(n8n, service, 'New owner');
	await first.publish();
	await expect(second.publish()).rejects.toThrow(/Unpublish the workflow that has this webhook/);
	await first.expectReceiving();
	await first.unpublish();
	await second.publish();
	await setTimeout(8_000);
	await second.expectReceiving();
});

test('unpublishing leaves alone what was published anew with another credential', async ({
	trigger,
}) => {
	const { service, client } = trigger;
	await trigger.publish();
	const baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
	const { accessToken } = service.running;
	const { id, name, type } = await createCredential(client, { baseUrl, accessToken });
	await trigger.republish({ credentials: { [type]: { id, name } } });
	await setTimeout(8_000);
	await trigger.expectReceiving();
});

test('unpublishing in an outage switches off all webhooks of a workflow', async ({ trigger }) => {
	const { service, client, credential } = trigger;
	const webhookIds = [service.webhookId, service.running.createWebhook()];
	const { id } = await client.createWorkflow({
		name: 'Two triggers',
		nodes: webhookIds.map((webhookId, index) => ({
			id: `trigger-${index}`,
			name: `${TRIGGER_NODE} ${index}`,
			type: TRIGGER,
			typeVersion: 1.1,
			position: [0, 200 * index],
			webhookId: randomUUID(),
			parameters: { webhookId, events: [RESULT_READY] },
			credentials: { [credential.type]: { id: credential.id, name: credential.name } },
		})),
		connections: {},
		settings: { executionOrder: 'v1' },
	});
	const statuses = () =>
		webhookIds.map(
			(webhookId) => service.running.webhooks.find((each) => each.id === webhookId)?.status,
		);
	await client.publish(id);
	expect(statuses()).toEqual(['active', 'active']);
	await service.stop();
	await client.unpublish(id);
	await service.restart();
	await expect.poll(statuses).toEqual(['inactive', 'inactive']);
});

test('with a deleted credential calls are verified, and unpublishing works', async ({
	trigger,
}) => {
	const { client, credential, derivedSecret } = trigger;
	await trigger.publish();
	await client.request('DELETE', `/rest/credentials/${credential.id}`);
	await trigger.expectRejected();
	await trigger.expectRejected('a guess');
	await trigger.expectCall(derivedSecret);
	await trigger.unpublish();
	expect((await client.getWorkflow(trigger.workflowId)).active).toBe(false);
});

const SECRET = 'a secret for both sides';
const parameters = { registration: 'manual', webhookId: '' };

test('manual registration leaves a webhook alone that was set up by hand before', async ({
	trigger,
}) => {
	const { service, productionUrl } = trigger;
	await trigger.updateCredential(SECRET);
	await trigger.publish();
	const byHand = { ...ELSEWHERE, url: productionUrl, secret: SECRET };
	await service.request('PUT', `/webhooks/${service.webhookId}`, byHand);
	const before = { ...service.webhook };
	await trigger.republish({ parameters });
	await setTimeout(3_000);
	expect(service.webhook).toEqual(before);
	await trigger.expectDelivery();
});

test('manual registration asks the service nothing, and receives with the secret, not with the one before', async ({
	trigger,
}) => {
	await trigger.updateCredential('the secret before that');
	await trigger.editSaved({ parameters });
	trigger.service.running.clearRequests();
	await trigger.publish();
	await trigger.expectCall('the secret before that');
	await trigger.updateCredential(SECRET);
	for (const secret of ['the secret before that', trigger.derivedSecret]) {
		await trigger.expectRejected(secret);
	}
	await trigger.expectCall(SECRET);
	await trigger.unpublish();
	expect(trigger.service.running.requests).toEqual([]);
});

// These stop n8n, and come last.

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
