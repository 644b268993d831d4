/** What a trigger must not lose, nor take, when something goes wrong around it: what only a real n8n shows. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { call, derivedSecret } from '../../support/calls.mts';
import { credentialFor } from '../../support/credentials.mts';
import { request } from '../../support/invite.mts';
import { driveTrigger } from '../../support/triggerDriver.mts';
import { RESULT_READY } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

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

test('a test that begins and is stopped while its workflow is being published gives the webhook back', async ({
	trigger,
}) => {
	const { service, client, workflowId } = trigger;
	await trigger.publish();
	service.running.faults.inject({ route: '*', delayMs: 2_500, times: 3 });
	const publishing = trigger.publishChange({ id: randomUUID() });
	await setTimeout(1_000);
	const beginning = trigger.startListening();
	await setTimeout(1_000);
	await client.stopListening(workflowId);
	await Promise.all([publishing, beginning]);
	await trigger.expectGivenBack();
	await trigger.expectReceiving();
});

test('a test that n8n forgets, since another one starts in its place, gives the webhook back', async ({
	trigger,
}) => {
	const { client, workflowId } = trigger;
	await trigger.publish();
	await trigger.listen();
	const workflowData = await client.getWorkflow(workflowId);
	const [node] = workflowData.nodes;
	node.parameters.registration = 'manual';
	// 1.x runs what it is sent, and publishes what is saved.
	if (!client.isVersion1) await trigger.edit({ parameters: node.parameters });
	const triggerToStartFrom = { name: node.name };
	const run = { workflowData, startNodes: [], triggerToStartFrom };
	await client.request('POST', `/rest/workflows/${workflowId}/run`, run).catch(() => {});
	await client.stopListening(workflowId);
	await trigger.expectGivenBack();
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
	const second = await driveTrigger(n8n, first.service, 'New owner');
	await first.publish();
	await expect(second.publish()).rejects.toThrow(/Another published workflow uses this webhook/);
	await first.expectReceiving();
	await first.unpublish();
	await second.publish();
	await setTimeout(8_000);
	await second.expectReceiving();
});

test('a token that is replaced as the guide says costs no result, and ends the old secret', async ({
	trigger,
}) => {
	const { client, credential, service, derivedSecret: old } = trigger;
	await trigger.publish();
	const accessToken = `another-${service.running.accessToken}`;
	await service.stop();
	await service.restart(accessToken);
	await client.updateCredential(credential.id, credentialFor(service.running));
	await trigger.expectReceiving(old);
	await trigger.unpublish();
	await trigger.publish();
	await trigger.expectReceiving(derivedSecret(accessToken, service.webhookId));
	await trigger.expectRejected(old);
});

test('archiving a published workflow switches its webhook off', async ({ trigger }) => {
	const { client, service, workflowId } = trigger;
	await trigger.publish();
	await client.request('POST', `/rest/workflows/${workflowId}/archive`, {});
	await expect.poll(() => service.webhook.status).toBe('inactive');
});

test('publishing a trigger that took the place of another one in its workflow is not refused, and never has the webhook off', async ({
	trigger,
}) => {
	const { client, service } = trigger;
	await trigger.publish();
	const { requests } = service.running;
	const before = requests.length;
	const path = randomUUID();
	await trigger.publishChange({ id: randomUUID(), webhookId: path });
	await setTimeout(8_000);
	const bodies = requests.slice(before).map(({ body }) => body);
	expect(bodies).not.toContainEqual({ status: 'inactive' });
	expect(trigger.webhookAddress).toBe(`${client.baseUrl}/webhook/${path}/webhook`);
	const secret = trigger.derivedSecret;
	expect(await call(trigger.webhookAddress, { secret, body: {} })).toBe(200);
});

test('a publication that another trigger of the workflow makes fail leaves nothing on', async ({
	trigger,
}) => {
	const { client, service, workflowId } = trigger;
	const { nodes, versionId } = await client.getWorkflow(workflowId);
	const another = { name: 'Another', id: randomUUID(), webhookId: randomUUID() };
	const parameters = { ...nodes[0].parameters, webhookId: randomUUID() };
	const path = `/rest/workflows/${workflowId}`;
	await client.request('PATCH', path, {
		nodes: [...nodes, { ...nodes[0], ...another, parameters }],
		versionId,
	});
	await expect(trigger.publish()).rejects.toThrow('No webhook with this ID exists');
	expect(trigger.webhookAddress).toBe(trigger.productionUrl);
	// From 2.40 on, n8n publishes the trigger that can be.
	const { active } = await client.request<{ active: boolean }>('GET', path);
	if (active) await trigger.unpublish();
	await expect.poll(() => service.webhook.status).toBe('inactive');
});

test('a publication that fails halfway leaves nothing on', async ({ trigger }) => {
	const { faults } = trigger.service.running;
	faults.inject({ route: 'updateWebhook', reset: 'after', times: 1_000 });
	await expect(trigger.publish()).rejects.toThrow();
	faults.clear();
	await expect.poll(() => trigger.service.webhook.status).toBe('inactive');
});

test('whoever can change the webhook does not get the secret sent to another address', async ({
	trigger,
}) => {
	const { client, credential, service, workflowId } = trigger;
	const address = `https://elsewhere.example.com${new URL(trigger.productionUrl).pathname}`;
	const url = `${address}?registration=published&credential=${credential.id}`;
	const own = { name: 'Own', url, events: [RESULT_READY], secret: 'a secret of their own' };
	await request(service.running, 'PUT', `/webhooks/${service.webhookId}`, own);
	await trigger.startListening().catch(() => {});
	await client.stopListening(workflowId);
	await trigger.expectGivenBack();
	expect(service.webhook).toMatchObject(own);
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
