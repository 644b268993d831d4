import { WORKER_CONCURRENCY } from '../support/cluster.mts';
import { expect, test } from '../support/queueFixtures.mts';
import { publishInviting, repeated, runAgain } from '../support/inviting.mts';

const COUNT = 100;
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
	const kills = [20, 60];
	const burst = await publishInviting(cluster, 'killed', burstOf(COUNT));
	const { workflow, lists, sent, invited } = burst;
	service.faults.inject({ route: 'createInvitation', delayMs: 500, every: 1 });
	await workflow.send(lists);
	for (const count of kills) {
		await expect.poll(() => invited().length, { timeout: 120_000 }).toBeGreaterThan(count);
		await workers.shift()?.kill();
		workers.push(await startWorker());
	}
	await workflow.ended(lists.length);
	service.faults.clear();
	expect(repeated(sent())).toEqual([]);

	const inDoubt = await runAgain(cluster, burst);
	expect(inDoubt.length).toBeLessThanOrEqual(kills.length * WORKER_CONCURRENCY);
});
