/** Only a real n8n shows what a trigger keeps, and leaves to others, when something goes wrong around it. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { call } from '../../support/calls.mts';
import { driveTrigger, TRIGGER_NODE } from '../support/triggerDriver.mts';
import { editNode } from '../support/workflows.mts';
import { expect, test } from '../support/fixtures.mts';

test('archiving a published workflow switches its webhook off', async ({ trigger }) => {
	const { client, service, workflowId } = trigger;
	await trigger.publish();
	await client.request('POST', `/rest/workflows/${workflowId}/archive`, {});
	await expect.poll(() => service.webhook.status).toBe('inactive');
});

test('publishing a trigger that took the place of another one in its workflow is not refused', async ({
	trigger,
}) => {
	const { client, service, workflowId } = trigger;
	await trigger.publish();
	const path = randomUUID();
	await editNode(client, workflowId, TRIGGER_NODE, { id: randomUUID(), webhookId: path });
	// 1.x publishes on saving.
	if (!client.isVersion1) await trigger.publish();
	await expect.poll(() => service.webhook.url).toBe(`${client.baseUrl}/webhook/${path}/webhook`);
	await expect.poll(() => service.webhook.status).toBe('active');
	const secret = trigger.derivedSecret;
	expect(await call(service.webhook.url, { secret, body: {} })).toBe(200);
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
	// From 2.40 on, n8n still publishes the valid trigger.
	const { active } = await client.request<{ active: boolean }>('GET', path);
	if (active) await trigger.unpublish();
	await expect.poll(() => service.webhook.status).toBe('inactive');
	// So it was published before.
	await expect.poll(() => service.webhook.url).toMatch(/\/unpublished$/);
});

test('a publication that is refused, since another workflow has the webhook, only looks, and logs nothing', async ({
	trigger,
	n8n,
	environment,
}) => {
	const { service, workflowId } = trigger;
	await trigger.publish();
	const before = { ...service.webhook };
	service.running.clearRequests();
	const another = await driveTrigger(n8n, service, 'Another');
	await expect(another.publish()).rejects.toThrow('Another published workflow uses this webhook');
	const looks = Array(n8n.client.registersLater ? 5 : 1).fill({ status: 'active' });
	expect(service.running.requests.map(({ body }) => body)).toEqual(looks);
	expect(service.webhook).toEqual(before);
	const log = await readFile(join(environment.folder, 'n8n.log'), 'utf8');
	expect(log).toContain('Another published workflow uses this webhook');
	expect(log).not.toMatch(`The webhook for workflow (${workflowId}|${another.workflowId})`);
	await trigger.expectReceiving();
	await trigger.unpublish();
	await another.publish();
	await another.expectReceiving();
});

test('a service that calls the address while it registers it, and refuses: its words are shown, and what n8n answers', async ({
	trigger,
}) => {
	const { service, productionUrl, derivedSecret: secret } = trigger;
	const { faults } = service.running;
	const words = 'The URL did not answer our GET request';
	let answers: Promise<number[]> | undefined;
	const verify = async () => {
		const methods = ['GET', 'HEAD', 'POST'].map(
			async (method) => (await fetch(productionUrl, { method })).status,
		);
		return await Promise.all([...methods, call(productionUrl, { secret, body: {} })]);
	};
	faults.inject({
		route: 'updateWebhook',
		when: () => {
			answers ??= verify();
			return true;
		},
		delayMs: 2_000,
		status: 422,
		body: { message: words },
		times: 1_000,
	});
	await expect(trigger.publish()).rejects.toThrow(
		new RegExp(`n8n answers only POST calls that carry the webhook's secret.* replied: ${words}`),
	);
	expect(await answers).toEqual([404, 404, 401, 200]);
});
