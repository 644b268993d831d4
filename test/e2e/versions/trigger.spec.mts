/** What a trigger must not lose, nor take, when something goes wrong around it: what only a real n8n shows. */
import { randomUUID } from 'node:crypto';

import { itemsOf } from '../../../tools/n8n/client.mts';
import { call, derivedSecret } from '../../support/calls.mts';
import { credentialFor } from '../../support/credentials.mts';
import { driveTrigger, TRIGGER_NODE } from '../../support/triggerDriver.mts';
import { workflowOf } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

const MEGABYTE = 'x'.repeat(1024 * 1024);
const LATIN1 = 'application/vnd.api+json; charset=iso-8859-1';

/** Content types, what is sent, and the item that comes of it. */
const BODIES: Array<[type: string, bytes: Buffer, item: object]> = [
	['application/json', Buffer.from('{"name":  "Jörg"}'), { name: 'Jörg' }],
	['text/plain', Buffer.from('ready'), { body: 'ready' }],
	[LATIN1, Buffer.from('{"name":"Jörg"}', 'latin1'), { name: 'Jörg' }],
	['application/json', Buffer.from(JSON.stringify({ text: MEGABYTE })), { text: MEGABYTE }],
];

test('a test and the published workflow both get what is sent, and the service hears nothing of the test', async ({
	trigger,
}) => {
	const { service, productionUrl, derivedSecret: secret } = trigger;
	await trigger.publish();
	const before = { ...service.webhook };
	const { length: count } = service.running.requests;
	const sent: object[] = [];
	for (const [type, body, item] of BODIES) {
		await trigger.listen();
		const headers = { 'content-type': type, 'x-secret': secret };
		const { status } = await fetch(productionUrl, { method: 'POST', headers, body });
		expect(status, type).toBe(200);
		sent.push(item);
		await trigger.expectRun(item);
		await expect.poll(async () => await trigger.tested()).toEqual(sent);
	}
	expect(service.running.requests.slice(count)).toEqual([]);
	expect(service.webhook).toEqual(before);
});

test('a call without the secret reaches no test, which then gets the next event, and only one of many', async ({
	trigger,
}) => {
	const { productionUrl, testUrl, derivedSecret: secret } = trigger;
	await trigger.publish();
	await trigger.listen();
	await trigger.expectRejected('a wrong secret');
	await trigger.expectRejected('a wrong secret', testUrl);
	const calls = Array.from({ length: 50 }, async (_, index) => {
		return await call(productionUrl, { secret, body: { index } });
	});
	expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
	await expect.poll(async () => (await trigger.tested()).length).toBe(1);
	await trigger.client.waitForExecutions(trigger.workflowId, 51);
	expect(await trigger.tested()).toHaveLength(1);
});

test('a test of a trigger that was pasted elsewhere, or that is one of two, gets the event', async ({
	n8n,
	trigger,
}) => {
	const { client, service, workflowId, derivedSecret: secret } = trigger;
	const { nodes } = await client.getWorkflow(workflowId);
	const second = { id: randomUUID(), name: 'Second', webhookId: randomUUID() };
	const parameters = { ...nodes[0].parameters, webhookId: service.running.createWebhook() };
	const { versionId } = await client.getWorkflow(workflowId);
	await client.request('PATCH', `/rest/workflows/${workflowId}`, {
		nodes: [...nodes, { ...nodes[0], ...second, parameters }],
		versionId,
	});
	await trigger.publish();
	const pasted = await client.createWorkflow(workflowOf('Pasted elsewhere', ...nodes));
	for (const id of [pasted.id, workflowId, workflowId]) {
		await client.listen(id, TRIGGER_NODE);
		const body = { for: id, call: randomUUID() };
		expect(await call(trigger.productionUrl, { secret, body })).toBe(200);
		await expect
			.poll(async () => {
				const tests = (await client.allExecutions(id)).filter(({ mode }) => mode === 'manual');
				const newest = tests[0] && (await client.waitForExecution(tests[0].id));
				return newest && itemsOf(newest, TRIGGER_NODE).map(({ json }) => json);
			})
			.toEqual([body]);
	}
	expect(n8n.client).toBe(client);
});

test('publishing refuses a webhook that another published workflow has, until that is unpublished', async ({
	n8n,
	trigger: first,
}) => {
	const second = await driveTrigger(n8n, first.service, 'New owner');
	await first.publish();
	await expect(second.publish()).rejects.toThrow(/Another published workflow uses this webhook/);
	await first.expectReceiving();
	await first.unpublishAndExpectOff();
	await second.publish();
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
	await trigger.unpublishAndExpectOff();
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

test('publishing a trigger that took the place of another one in its workflow is not refused', async ({
	trigger,
}) => {
	const { client, service } = trigger;
	await trigger.publish();
	const path = randomUUID();
	await trigger.publishChange({ id: randomUUID(), webhookId: path });
	await expect.poll(() => trigger.webhookAddress).toBe(`${client.baseUrl}/webhook/${path}/webhook`);
	await expect.poll(() => service.webhook.status).toBe('active');
	const secret = trigger.derivedSecret;
	expect(await call(trigger.webhookAddress, { secret, body: {} })).toBe(200);
});

test('while the service is down, unpublishing is one line in the log, and publishing again heals it', async ({
	n8n,
	trigger,
}) => {
	const { service, workflowId } = trigger;
	await trigger.publish();
	await service.stop();
	await trigger.unpublish();
	const lines = async () =>
		(await n8n.process.log())
			.split('\n')
			.filter((line) => line.includes(`The webhook of workflow ${workflowId} may still be on: `));
	await expect.poll(async () => (await lines()).length, { timeout: 60_000 }).toBe(1);
	await service.restart();
	expect(service.webhook.status).toBe('active');
	await trigger.publish();
	await trigger.expectReceiving();
	await trigger.unpublishAndExpectOff();
	expect(await lines()).toHaveLength(1);
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
	// From 2.40 on, n8n publishes the trigger that can be.
	const { active } = await client.request<{ active: boolean }>('GET', path);
	if (active) await trigger.unpublish();
	await expect.poll(() => service.webhook.status).toBe('inactive');
	// It was published, then.
	await expect.poll(() => trigger.webhookAddress).toMatch(/\/unpublished$/);
});

test('a publication that fails halfway leaves nothing on', async ({ trigger }) => {
	const { faults } = trigger.service.running;
	faults.inject({ route: 'updateWebhook', reset: 'after', times: 1_000 });
	await expect(trigger.publish()).rejects.toThrow();
	faults.clear();
	await expect.poll(() => trigger.service.webhook.status).toBe('inactive');
});

// It stops n8n, and comes last.

test('a stopped test, and one that a killed n8n forgets, leave the webhook as it was', async ({
	n8n,
	trigger,
}) => {
	const { service } = trigger;
	await trigger.publish();
	const before = { ...service.webhook };
	const { length: count } = service.running.requests;
	await trigger.listen();
	await trigger.stopListening();
	await trigger.expectCall(trigger.derivedSecret);
	await trigger.listen();
	await n8n.kill();
	await n8n.restart();
	expect(service.running.requests.slice(count)).toEqual([]);
	expect(service.webhook).toEqual(before);
	await trigger.expectReceiving();
	expect(await trigger.tested()).toEqual([]);
});
