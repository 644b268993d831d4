import { itemsOf } from '../../../tools/n8n/client.mts';
import { WORKER_CONCURRENCY } from '../../support/cluster.mts';
import { expect, test } from './fixtures.mts';
import { publishInviting, referenceIn, repeated } from './inviting.mts';

const COUNT = 200;
const burstOf = (count: number) => ({ count, size: 1 });

test(`${COUNT} executions of one candidate each at once, run twice, invite everybody once`, async ({
	cluster,
}) => {
	const burst = await publishInviting(cluster, 'burst', burstOf(COUNT));
	expect(await burst.workflow.run(burst.lists)).toEqual([]);
	expect(burst.invited().toSorted()).toEqual(burst.references.toSorted());
	expect(await burst.workflow.run(burst.lists)).toEqual([]);
	expect(burst.sent()).toHaveLength(COUNT);
});

test('a worker killed again and again in a burst costs no more than those whom it was inviting', async ({
	cluster,
}) => {
	test.setTimeout(900_000);
	const { client, service, workers, startWorker } = cluster;
	const kills = [20, 80, 130];
	const burst = await publishInviting(cluster, 'killed', burstOf(COUNT));
	const { workflow, references, lists, sent, invited } = burst;
	service.faults.inject({ route: 'createInvitation', delayMs: 500, every: 1 });
	await workflow.send(lists);
	for (const count of kills) {
		await expect.poll(() => invited().length, { timeout: 120_000 }).toBeGreaterThan(count);
		await workers.shift()?.kill();
		workers.push(await startWorker());
	}
	await workflow.ended(COUNT);
	service.faults.clear();
	expect(repeated(sent())).toEqual([]);

	// Settled as the documents say: by running it again, and by looking up who is in doubt.
	const inDoubt = await workflow.run(lists);
	expect(repeated(sent())).toEqual([]);
	expect(inDoubt.length).toBeLessThanOrEqual(kills.length * WORKER_CONCURRENCY);
	for (const id of inDoubt) {
		const { error } = (await client.getExecution(id)).data.resultData;
		expect(error?.message).toBe("Couldn't confirm whether this candidate was invited");
	}
	const missing = references.filter((reference) => !invited().includes(reference));
	expect(missing.length).toBeLessThanOrEqual(inDoubt.length);
});

test("n8n's Retry beside a burst of a second workflow invites everybody once", async ({
	cluster,
}) => {
	const { client, service } = cluster;
	const retried = await publishInviting(cluster, 'retried', burstOf(40));
	const second = await publishInviting(cluster, 'second', burstOf(100));
	const refused = retried.references.slice(0, 10);
	service.faults.inject({
		...{ route: 'createInvitation', status: 409, every: 1 },
		when: ({ body }) => refused.includes(referenceIn(body)),
	});
	const toRetry = await retried.workflow.run(retried.lists);
	expect(toRetry).toHaveLength(refused.length);
	service.faults.clear();
	const retry = async (id: string) =>
		await client.request('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
	const [failed] = await Promise.all([second.workflow.run(second.lists), ...toRetry.map(retry)]);
	expect(failed).toEqual([]);
	await retried.workflow.ended(40 + toRetry.length);
	for (const { invited, references } of [retried, second]) {
		expect(invited().toSorted()).toEqual(references.toSorted());
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
				dedupeValue: 'the same in all',
				options: { scope: 'workflow' },
			},
		};
		const { workflow, lists, sent } = await publishInviting(cluster, `seen-${place}`, burstOf(3), {
			nodesWith: (invite) =>
				place === 'before' ? [removeDuplicates, invite] : [invite, removeDuplicates],
		});
		const seen: number[] = [];
		for (const list of lists) {
			expect(await workflow.run([list])).toEqual([]);
			const [{ id }] = await cluster.client.allExecutions(workflow.id);
			seen.push(itemsOf(await cluster.client.getExecution(id), 'Seen').length);
		}
		expect(seen).toEqual([1, 0, 0]);
		expect(sent()).toHaveLength(place === 'before' ? 1 : 3);
	});
}
