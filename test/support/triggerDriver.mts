import { randomUUID } from 'node:crypto';

import { expect } from '@playwright/test';

import {
	itemsOf,
	type Credential,
	type N8nClient,
	type WorkflowNode,
} from '../../tools/n8n/client.mts';
import { call, derivedSecret } from './calls.mts';
import { createCredential } from './credentials.mts';
import type { RestartableService } from './restartableService.mts';
import type { TestN8n } from './testEnvironment.mts';
import { RESULT_READY, TRIGGER_NODE, triggerWorkflow } from './workflows.mts';

/** After n8n was restarted, its client is another one. */
type HasClient = Pick<TestN8n, 'client'>;

function addressOf(url: string): string {
	return url.split('?')[0];
}

/** Drives a workflow that the trigger starts, and the service that calls it. */
export class TriggerDriver {
	readonly service: RestartableService;
	readonly workflowId: string;
	readonly credential: Credential;
	readonly productionUrl: string;
	readonly testUrl: string;
	readonly #n8n: HasClient;
	/** What the deliveries that have to run this workflow were about, oldest first. */
	readonly #delivered: unknown[] = [];

	private constructor(
		n8n: HasClient,
		service: RestartableService,
		credential: Credential,
		workflow: { id: string; path: string },
	) {
		this.#n8n = n8n;
		this.service = service;
		this.credential = credential;
		this.workflowId = workflow.id;
		this.productionUrl = `${n8n.client.baseUrl}/webhook/${workflow.path}/webhook`;
		this.testUrl = `${n8n.client.baseUrl}/webhook-test/${workflow.path}/webhook`;
	}

	/** Sets up a credential and a workflow, not published yet. */
	static async create(
		n8n: HasClient,
		service: RestartableService,
		name: string,
	): Promise<TriggerDriver> {
		const { client } = n8n;
		const path = randomUUID();
		const credential = await createCredential(client, service.running);
		const { webhookId } = service;
		const { id } = await client.createWorkflow(
			triggerWorkflow({ name, credential, webhookId, path }),
		);
		return new TriggerDriver(n8n, service, credential, { id, path });
	}

	get client(): N8nClient {
		return this.#n8n.client;
	}

	get derivedSecret(): string {
		return derivedSecret(this.service.running.accessToken, this.service.webhookId);
	}

	async publish(): Promise<void> {
		await this.client.publish(this.workflowId, { timeoutMs: 120_000 });
	}

	async unpublish(): Promise<void> {
		await this.client.unpublish(this.workflowId);
	}

	/** Unpublishes, which switches the webhook off some seconds later. */
	async unpublishAndExpectOff(): Promise<void> {
		await this.unpublish();
		await expect.poll(() => this.service.webhook.status).toBe('inactive');
	}

	async edit(change: Partial<WorkflowNode>): Promise<void> {
		const workflow = await this.client.getWorkflow(this.workflowId);
		const nodes = workflow.nodes.map((node) => ({ ...node, ...change }));
		const path = `/rest/workflows/${this.workflowId}`;
		await this.client.request('PATCH', path, { nodes, versionId: workflow.versionId });
	}

	/** Starts listening for a test event. Rejects with what n8n's editor shows. */
	async startListening(): Promise<void> {
		await this.client.listen(this.workflowId, TRIGGER_NODE);
	}

	/** Starts listening for a test event, which must redirect the webhook. */
	async listen(): Promise<void> {
		await this.startListening();
		expect(this.webhookAddress).toBe(this.testUrl);
	}

	/** Where the webhook points to. What its URL says about itself besides, is the trigger's own business. */
	get webhookAddress(): string {
		return addressOf(this.service.webhook.url);
	}

	/** Ends listening, and waits until n8n has asked the service about giving the webhook back. */
	async stopListening(): Promise<void> {
		const { requests } = this.service.running;
		const before = requests.length;
		await this.client.stopListening(this.workflowId);
		await expect
			.poll(() => requests.slice(before).map(({ route, status }) => [route, status]), {
				message: 'n8n asks the service whose the webhook is',
			})
			.toContainEqual(['setWebhookStatus', 200]);
		await this.expectGivenBack();
	}

	/** The webhook must not point to the editor (any more). */
	async expectGivenBack(timeout?: number): Promise<void> {
		await expect
			.poll(() => this.webhookAddress, { message: 'the webhook is given back', timeout })
			.not.toBe(this.testUrl);
	}

	/** The webhook must point here with that secret, and a delivery run the workflow. */
	async expectReceiving(secret = this.derivedSecret): Promise<void> {
		expect(this.webhookAddress).toBe(this.productionUrl);
		expect(this.service.webhook).toMatchObject({ secret, events: [RESULT_READY] });
		await this.expectDelivery();
	}

	/** Has the service call, which must run the workflow exactly once, with the body as item. */
	async expectDelivery(): Promise<void> {
		const delivery = await this.service.finishOne();
		if (!delivery) throw new Error('The service called nobody: its webhook is not active');
		expect(addressOf(delivery.url)).toBe(this.productionUrl);
		expect(delivery.status, `it answered ${delivery.response ?? delivery.error}`).toBe(200);
		await this.expectRun(delivery.payload);
	}

	/** Calls as the service would, with that secret; must run the workflow exactly once. */
	async expectCall(secret: string, contentType?: string): Promise<void> {
		const body = { event: RESULT_READY, call: randomUUID() };
		expect(await call(this.productionUrl, { secret, body, contentType })).toBe(200);
		await this.expectRun(body);
	}

	/** Calls as somebody else would; must be rejected. That it ran nothing, the next run shows. */
	async expectRejected(secret?: string, url = this.productionUrl): Promise<void> {
		const body = { event: RESULT_READY, forged: true };
		expect(await call(url, { secret, body })).toBe(401);
		expect(await call(url, { secret }), 'without a body').toBe(401);
	}

	/** All runs from outside must be those of genuine deliveries, this one the last. */
	async expectRun(body: unknown): Promise<void> {
		this.#delivered.push(body);
		await expect
			.poll(async () => await this.#received(), { message: 'the workflow runs' })
			.toEqual(this.#delivered);
	}

	/** The items of the runs from outside, oldest first. */
	async #received(): Promise<unknown[]> {
		const executions = await this.client.allExecutions(this.workflowId);
		const fromOutside = executions.filter(({ mode }) => mode === 'webhook').reverse();
		const runs = fromOutside.map(async ({ id }) => await this.client.waitForExecution(id));
		return (await Promise.all(runs)).flatMap((run) =>
			itemsOf(run, TRIGGER_NODE).map(({ json }) => json),
		);
	}
}
