import pLimit from 'p-limit';

import { ACTION, withCredential } from '../../../demo/workflows/parts.mts';
import {
	itemsOf,
	type ExecutionStatus,
	type ExecutionSummary,
} from '../../../tools/n8n/client.mts';
import { WORKER_CONCURRENCY, type Cluster } from '../../support/cluster.mts';
import { createCredential } from '../../support/credentials.mts';
import { anonymousInvitation, workflowOf, type Part } from '../../support/workflows.mts';
import { repeated } from './batches.mts';
import { expect, test } from './fixtures.mts';

const COUNT = 200;
const FAILED: ExecutionStatus[] = ['error', 'crashed', 'canceled'];
const ENDED: ExecutionStatus[] = ['success', ...FAILED];

/** A published workflow that invites one candidate for each call, as a form makes them. */
class Form {
	readonly references: string[];

	private constructor(
		private readonly cluster: Cluster,
		readonly id: string,
		private readonly name: string,
		count: number,
	) {
		this.references = Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
	}

	/** @param nodes before and behind the one that invites */
	static async publish(
		cluster: Cluster,
		name: string,
		count: number,
		{ before = [], behind = [] }: { before?: Part[]; behind?: Part[] } = {},
	): Promise<Form> {
		const { client, service } = cluster;
		const webhook = {
			...{ name: 'Form', type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: name },
			parameters: { httpMethod: 'POST', path: name, responseMode: 'onReceived', options: {} },
		};
		const invite = {
			...{ name: 'Invite', type: ACTION, typeVersion: 1 },
			parameters: anonymousInvitation({ extReferenceId: '={{ $json.body.ref }}' }),
			credentials: withCredential(await createCredential(client, service)),
		};
		const workflow = workflowOf(name, webhook, ...before, invite, ...behind);
		const { id } = await client.createWorkflow(workflow);
		await client.publish(id);
		return new Form(cluster, id, name, count);
	}

	/** Sends candidates as fast as n8n takes them: more at once, and 1.x runs out of connections. */
	async send(references = this.references): Promise<void> {
		await pLimit(40).map(references, async (ref) => {
			const send = async () =>
				await fetch(`${this.cluster.webhook.baseUrl}/webhook/${this.name}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ ref }),
				});
			let response = await send();
			// A busy 1.x takes its database for lost, and refuses the call.
			while (response.status === 503) response = await send();
			expect(response.status, await response.text()).toBe(200);
		});
	}

	/** Sends candidates all at once, and waits until all has ended. Gives the executions that have failed since. */
	async run(references = this.references): Promise<string[]> {
		const before = await this.failed();
		const expected = (await this.count(ENDED)) + references.length;
		await this.send(references);
		await this.ended(expected);
		return (await this.failed()).filter((id) => !before.includes(id));
	}

	/** Waits until so many executions have ended in all. */
	async ended(count: number): Promise<void> {
		await expect.poll(() => this.count(ENDED), { timeout: 400_000, intervals: [1000] }).toBe(count);
	}

	/** Not by `allExecutions`: n8n's pages have gaps where executions start in another order than they are made. */
	private async count(status: ExecutionStatus[]): Promise<number> {
		return await this.cluster.client.countExecutions({ workflowId: this.id, status });
	}

	private async failed(): Promise<string[]> {
		const filter = JSON.stringify({ workflowId: this.id, status: FAILED });
		const path = `/rest/executions?${new URLSearchParams({ filter, limit: '100' })}`;
		const { results } = await this.cluster.client.request<{ results: ExecutionSummary[] }>(
			'GET',
			path,
		);
		return results.map(({ id }) => id);
	}

	/** Whom the service was asked to invite, with repetitions. */
	get sent(): string[] {
		const { requests } = this.cluster.service;
		return this.own(
			requests.map(({ body }) => (body as { ext_reference_id?: string })?.ext_reference_id),
		);
	}

	/** Whom the service has invited, with repetitions. */
	get invited(): string[] {
		return this.own(this.cluster.service.invitations.map((each) => each.ext_reference_id));
	}

	private own(all: Array<string | undefined>): string[] {
		return all.filter((each): each is string => each?.startsWith(`${this.name}-`) ?? false);
	}
}

test(`${COUNT} executions of one candidate each at once, run twice, invite everybody once`, async ({
	cluster,
}) => {
	const form = await Form.publish(cluster, 'burst', COUNT);
	expect(await form.run()).toEqual([]);
	expect(form.invited.toSorted()).toEqual(form.references.toSorted());
	expect(await form.run()).toEqual([]);
	expect(form.sent).toHaveLength(COUNT);
});

test('a worker killed again and again in a burst costs no more than those whom it was inviting', async ({
	cluster,
}) => {
	test.setTimeout(900_000);
	const { client, service, workers, startWorker } = cluster;
	const kills = [20, 80, 130];
	const form = await Form.publish(cluster, 'killed', COUNT);
	service.faults.inject({ route: 'createInvitation', delayMs: 500, every: 1 });
	await form.send();
	for (const count of kills) {
		await expect.poll(() => form.invited.length, { timeout: 120_000 }).toBeGreaterThan(count);
		await workers.shift()?.kill();
		workers.push(await startWorker());
	}
	await form.ended(COUNT);
	service.faults.clear();
	expect(repeated(form.sent)).toEqual([]);

	// Settled as the documents say: by running it again, and by looking up who is in doubt.
	const inDoubt = await form.run();
	expect(repeated(form.sent)).toEqual([]);
	expect(inDoubt.length).toBeLessThanOrEqual(kills.length * WORKER_CONCURRENCY);
	for (const id of inDoubt) {
		const { error } = (await client.getExecution(id)).data.resultData;
		expect(error?.message).toBe("Couldn't confirm whether this candidate was invited");
	}
	const missing = form.references.filter((reference) => !form.invited.includes(reference));
	expect(missing.length).toBeLessThanOrEqual(inDoubt.length);
});

test("n8n's Retry beside a burst of a second workflow invites everybody once", async ({
	cluster,
}) => {
	const { client, service } = cluster;
	const [form, other] = [
		await Form.publish(cluster, 'retried', 40),
		await Form.publish(cluster, 'second', 100),
	];
	const refused = form.references.slice(0, 10);
	service.faults.inject({
		...{ route: 'createInvitation', status: 409, every: 1 },
		when: ({ body }) => refused.includes((body as { ext_reference_id: string }).ext_reference_id),
	});
	const toRetry = await form.run();
	expect(toRetry).toHaveLength(refused.length);
	service.faults.clear();
	const retry = async (id: string) =>
		await client.request('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
	const [failed] = await Promise.all([other.run(), ...toRetry.map(retry)]);
	expect(failed).toEqual([]);
	await form.ended(40 + toRetry.length);
	for (const each of [form, other]) {
		expect(each.invited.toSorted()).toEqual(each.references.toSorted());
	}
});

for (const place of ['before', 'behind'] as const) {
	test(`a Remove Duplicates node of scope workflow ${place} it keeps what it has seen`, async ({
		cluster,
	}) => {
		const removeDuplicates = {
			...{ name: 'Seen', type: 'n8n-nodes-base.removeDuplicates', typeVersion: 2 },
			parameters: {
				operation: 'removeItemsSeenInPreviousExecutions',
				dedupeValue: '={{ $("Form").item.json.body.ref.slice(0, -1) }}',
				options: { scope: 'workflow' },
			},
		};
		const form = await Form.publish(cluster, `seen-${place}`, 3, { [place]: [removeDuplicates] });
		const seen: number[] = [];
		for (const reference of form.references) {
			expect(await form.run([reference])).toEqual([]);
			const [{ id }] = await cluster.client.allExecutions(form.id);
			seen.push(itemsOf(await cluster.client.getExecution(id), 'Seen').length);
		}
		expect(seen).toEqual([1, 0, 0]);
		expect(form.sent).toHaveLength(place === 'before' ? 1 : 3);
	});
}
