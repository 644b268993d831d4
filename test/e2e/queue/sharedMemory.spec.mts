import { itemsOf } from '../../../tools/n8n/client.mts';
import { WORKER_CONCURRENCY } from '../../support/cluster.mts';
import { baseNode } from '../../support/workflows.mts';
import { expect, test } from './fixtures.mts';
import { publishInviting, repeated, runAgain } from './inviting.mts';

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
	const { service, workers, startWorker } = cluster;
	const kills = [20, 110];
	const burst = await publishInviting(cluster, 'killed', burstOf(COUNT));
	const { workflow, lists, sent, invited } = burst;
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

	const inDoubt = await runAgain(cluster, burst);
	expect(inDoubt.length).toBeLessThanOrEqual(kills.length * WORKER_CONCURRENCY);
});

for (const place of ['before', 'behind'] as const) {
	test(`a Remove Duplicates node of scope workflow ${place} it keeps what it has seen`, async ({
		cluster,
	}) => {
		const removeDuplicates = baseNode('Seen', 'removeDuplicates', 2, {
			operation: 'removeItemsSeenInPreviousExecutions',
			dedupeValue: 'the same in all',
			options: { scope: 'workflow' },
		});
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
