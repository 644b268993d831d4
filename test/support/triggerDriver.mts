import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { itemsOf, type Credential, type Item, type N8nClient } from '../../tools/n8n/client.mts';
import { call } from './calls.mts';
import { createCredential, credentialFor } from './credentials.mts';
import { OwnService } from './ownService.mts';
import { RESULT_READY, TRIGGER_NODE, triggerWorkflow } from './workflows.mts';

/** What of n8n a receiver speaks to; after n8n was started again, its client is another one. */
export interface HasClient {
	client: N8nClient;
}

/** A workflow that the trigger starts, and the service that calls it. */
export class Receiver {
	readonly service: OwnService;
	readonly workflowId: string;
	readonly credential: Credential;
	readonly productionUrl: string;
	readonly testUrl: string;
	readonly #n8n: HasClient;
	/** What the deliveries that have to run this workflow were about, oldest first. */
	readonly #delivered: unknown[] = [];

	private constructor(
		n8n: HasClient,
		service: OwnService,
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
	static async create(n8n: HasClient, name: string, service: OwnService): Promise<Receiver> {
		const { client } = n8n;
		const credential = await createCredential(client, service.running);
		const path = randomUUID();
		const { webhookId } = service;
		const { id } = await client.createWorkflow(
			triggerWorkflow({ name, credential, webhookId, path }),
		);
		return new Receiver(n8n, service, credential, { id, path });
	}

	get client(): N8nClient {
		return this.#n8n.client;
	}

	/** The secret that the trigger is to derive from the service's access token. */
	get derivedSecret(): string {
		const { accessToken } = this.service.running;
		return createHmac('sha256', accessToken).update(this.service.webhookId).digest('hex');
	}

	/** Enters the service's present access token into the credential, and a secret. */
	async updateCredential(webhookSecret = ''): Promise<void> {
		const { running } = this.service;
		await this.client.updateCredential(this.credential.id, credentialFor(running, webhookSecret));
	}

	/** Publishes, unpublishing first where it is published: n8n publishes a version but once. */
	async publish(): Promise<void> {
		const { active } = await this.client.getWorkflow(this.workflowId);
		if (active) await this.unpublish();
		await this.client.publish(this.workflowId, { timeoutMs: 120_000 });
	}

	async unpublish(): Promise<void> {
		await this.client.unpublish(this.workflowId);
	}

	async listen(): Promise<void> {
		await this.client.listen(this.workflowId, TRIGGER_NODE);
		assert.equal(this.service.webhook.url, this.testUrl);
	}

	/** The webhook must point here, with that secret, and be active. */
	expectRegistered(secret: string): void {
		const { url, status, ...webhook } = this.service.webhook;
		assert.deepEqual(
			{ url, status, secret: webhook.secret, events: webhook.events },
			{ url: this.productionUrl, status: 'active', secret, events: [RESULT_READY] },
		);
	}

	/** The webhook must point here with that secret, and a delivery run the workflow. */
	async expectReceiving(secret = this.derivedSecret): Promise<void> {
		this.expectRegistered(secret);
		await this.expectDelivery();
	}

	/** Has the service call, which must run the workflow exactly once, with the body as item. */
	async expectDelivery(): Promise<void> {
		const delivery = await this.service.finishOne();
		assert.ok(delivery, 'the service called nobody: its webhook is not active');
		assert.equal(delivery.url, this.productionUrl);
		assert.equal(delivery.status, 200, `answered ${delivery.response ?? delivery.error}`);
		await this.expectRun(delivery.payload);
	}

	/** Calls as the service would, with that secret; must run the workflow exactly once. */
	async expectCall(secret: string, contentType?: string): Promise<void> {
		const body = { event: RESULT_READY, call: randomUUID() };
		assert.equal(await call(this.productionUrl, { secret, body, contentType }), 200);
		await this.expectRun(body);
	}

	/** Calls as somebody else would; must be turned away. That it ran nothing, the next run shows. */
	async expectRefusal(secret?: string, url = this.productionUrl): Promise<void> {
		const body = { event: RESULT_READY, forged: true };
		assert.equal(await call(url, { secret, body }), 401);
		assert.equal(await call(url, { secret }), 401, 'without a body');
	}

	/** All runs from outside must be those of genuine deliveries, this one the last. */
	async expectRun(body: unknown): Promise<void> {
		this.#delivered.push(body);
		await until(
			async () => (await this.#runs()).length >= this.#delivered.length,
			'the workflow to run',
		);
		const items = await Promise.all((await this.#runs()).map(async (id) => await this.#item(id)));
		assert.deepEqual(
			items.map((item) => item?.json),
			this.#delivered,
		);
	}

	/** Nothing has run but what had to. */
	async expectNoOtherRun(): Promise<void> {
		await sleep(500);
		assert.equal((await this.#runs()).length, this.#delivered.length);
	}

	/** The runs from outside, oldest first. */
	async #runs(): Promise<string[]> {
		const executions = await this.client.allExecutions(this.workflowId);
		return executions
			.filter(({ mode }) => mode === 'webhook')
			.map(({ id }) => id)
			.reverse();
	}

	async #item(executionId: string): Promise<Item | undefined> {
		const execution = await this.client.waitForExecution(executionId);
		assert.equal(execution.status, 'success');
		const items = itemsOf(execution, TRIGGER_NODE);
		assert.equal(items.length, 1);
		return items[0];
	}
}

/** Lends a receiver with a service of its own, which is gone afterwards. */
export async function withReceiver<T>(
	n8n: HasClient & { n8n: { logFile: string } },
	name: string,
	use: (receiver: Receiver) => Promise<T>,
): Promise<T> {
	const service = await OwnService.start(join(n8n.n8n.logFile, '..', `${randomUUID()}.json`));
	try {
		return await use(await Receiver.create(n8n, name, service));
	} finally {
		await service.goAway();
	}
}

/** Waits until something is so. */
export async function until(
	isSo: () => boolean | Promise<boolean>,
	what: string,
	timeoutMs = 30_000,
): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	while (!(await isSo())) {
		assert.ok(Date.now() < deadline, `waited ${timeoutMs / 1000} s for ${what}, in vain`);
		await sleep(100);
	}
}
