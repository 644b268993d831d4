import { randomUUID } from 'node:crypto';

import { expect } from '@playwright/test';

import { TRIGGER, withCredential } from '../../../demo/workflows/parts.mts';
import { itemsOf, type N8nClient } from '../../../tools/n8n/client.mts';
import { call, derivedSecret } from '../../support/calls.mts';
import { createCredential } from '../../support/credentials.mts';
import type { RestartableService } from './restartableService.mts';
import type { TestN8n } from './testEnvironment.mts';
import { RESULT_READY, workflowOf } from './workflows.mts';

export const TRIGGER_NODE = 'Result Ready';

export type TriggerDriver = Awaited<ReturnType<typeof driveTrigger>>;

/** Sets up a workflow that the trigger starts, not published yet, and drives it and the service that calls it. */
export async function driveTrigger(
	n8n: Pick<TestN8n, 'client'>,
	service: RestartableService,
	name: string,
) {
	const { webhookId, running } = service;
	const credential = await createCredential(n8n.client, running);
	const path = randomUUID();
	const workflow = workflowOf(name, {
		name: TRIGGER_NODE,
		type: TRIGGER,
		typeVersion: 1.1,
		webhookId: path,
		parameters: { webhookId, events: [RESULT_READY] },
		credentials: withCredential(credential),
	});
	const { id: workflowId } = await n8n.client.createWorkflow(workflow);
	const productionUrl = `${n8n.client.baseUrl}/webhook/${path}/webhook`;
	const ownSecret = derivedSecret(running.accessToken, webhookId);
	/** The bodies of all deliveries that must run this workflow, oldest first. */
	const delivered: unknown[] = [];
	/** The trigger's items in all runs with that mode, oldest first. */
	const itemsOfRuns = async (client: N8nClient, wanted: string) => {
		const executions = await client.allExecutions(workflowId);
		const runs = executions
			.filter(({ mode }) => mode === wanted)
			.reverse()
			.map(async ({ id }) => await client.waitForExecution(id));
		return (await Promise.all(runs)).flatMap((run) =>
			itemsOf(run, TRIGGER_NODE).map(({ json }) => json),
		);
	};

	return {
		service,
		workflowId,
		productionUrl,
		derivedSecret: ownSecret,

		/** A restart of n8n replaces it. */
		get client(): N8nClient {
			return n8n.client;
		},

		async publish(): Promise<void> {
			await this.client.publish(workflowId, { timeoutMs: 120_000 });
		},

		async unpublish(): Promise<void> {
			await this.client.unpublish(workflowId);
		},

		/** Starts listening for a test event. Rejects with the editor's message. */
		async listen(): Promise<void> {
			await this.client.listen(workflowId, TRIGGER_NODE);
		},

		/** Items of test events, oldest first. */
		async tested(): Promise<unknown[]> {
			return await itemsOfRuns(this.client, 'manual');
		},

		/** Expects the webhook to point here with that secret, and a delivery to run the workflow. */
		async expectReceiving(secret = ownSecret): Promise<void> {
			expect(service.webhook).toMatchObject({ url: productionUrl, secret, events: [RESULT_READY] });
			await this.expectDelivery();
		},

		/** Has the service call, and expects that to run the workflow exactly once, with the body as item. */
		async expectDelivery(): Promise<void> {
			const delivery = await service.finishOne();
			if (!delivery) throw new Error('The service called nobody: its webhook is not active');
			expect(delivery.url).toBe(productionUrl);
			expect(delivery.status, `it answered ${delivery.response ?? delivery.error}`).toBe(200);
			await this.expectRun(delivery.payload);
		},

		/** Calls as the service would, with that secret, and expects exactly one run. */
		async expectCall(secret: string): Promise<void> {
			const body = { event: RESULT_READY, call: randomUUID() };
			expect(await call(productionUrl, { secret, body })).toBe(200);
			await this.expectRun(body);
		},

		/** Calls as somebody else would, and expects 401. The next `expectRun` shows that it ran nothing. */
		async expectRejected(secret?: string): Promise<void> {
			const body = { event: RESULT_READY, forged: true };
			expect(await call(productionUrl, { secret, body })).toBe(401);
			expect(await call(productionUrl, { secret }), 'without a body').toBe(401);
		},

		/** Expects all webhook runs to be from genuine deliveries, with this one last. */
		async expectRun(body: unknown): Promise<void> {
			delivered.push(body);
			const received = async () => await itemsOfRuns(this.client, 'webhook');
			await expect.poll(received, { message: 'the workflow runs' }).toEqual(delivered);
		},
	};
}
