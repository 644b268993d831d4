import { setTimeout as sleep } from 'node:timers/promises';

import { signalGroup } from '../../../tools/n8n/group.mts';
import { WORKER_CONCURRENCY, type Cluster } from '../../support/cluster.mts';
import { startDatabaseProxy, type DatabaseProxy } from '../../support/databaseProxy.mts';
import { expect, test } from './fixtures.mts';
import { publishInviting, runAgain } from './inviting.mts';

// What n8n's helper asks, with the values and the answer. The node's row is the memory, the other one the lock.
const READS_MEMORY = /SELECT [^]*processed_data[^]*n:node-/;
const TAKES_LOCK = /INSERT INTO [^]*processed_data(?![^]*n:node-)[^]*INSERT 0 1/;
const RELEASES_LOCK = /DELETE FROM [^]*processed_data[^]*DELETE 1/;

/** Between each worker and PostgreSQL. */
const proxies: DatabaseProxy[] = [];

test.beforeAll(async ({ cluster: { postgres, workers, startWorker } }) => {
	for (const worker of workers.splice(0)) {
		const proxy = await startDatabaseProxy(postgres);
		proxies.push(proxy);
		await worker.stop();
		workers.push(await startWorker({ DB_POSTGRESDB_PORT: String(proxy.port) }));
	}
});

async function startBurst(cluster: Cluster, name: string, count = 100) {
	const burst = await publishInviting(cluster, name, { count, size: 1 });
	return { ...burst, running: burst.workflow.run(burst.lists) };
}

test('a worker that stands still until others have taken over its lock overwrites nothing', async ({
	cluster,
}) => {
	const burst = await startBurst(cluster, 'still');
	const expectInvited = async (count: number) =>
		await expect.poll(() => burst.invited().length, { timeout: 60_000 }).toBeGreaterThan(count);
	await expectInvited(20);
	const end = await proxies[0].hold(READS_MEMORY);
	const { pid } = cluster.workers[0];
	signalGroup(pid, 'SIGSTOP');
	end('pass');
	// More than were under way.
	await expectInvited(burst.invited().length + 4 * WORKER_CONCURRENCY);
	signalGroup(pid, 'SIGCONT');
	await burst.running;
	expect((await runAgain(cluster, burst)).length).toBeLessThanOrEqual(WORKER_CONCURRENCY);
});

test('a worker whose release was not confirmed leaves the lock to the next', async ({
	cluster,
}) => {
	const burst = await startBurst(cluster, 'released');
	const endRelease = await proxies[0].hold(RELEASES_LOCK);
	const endReading = await proxies[1].hold(READS_MEMORY);
	endRelease('lose');
	// Time for the first worker to take the lock from the second.
	await sleep(2_000);
	endReading('pass');
	expect(await burst.running).toEqual([]);
	expect(await runAgain(cluster, burst)).toEqual([]);
});

test('nobody waits for a worker that was not told that it has the lock', async ({ cluster }) => {
	const burst = await startBurst(cluster, 'taken', 20);
	(await proxies[0].hold(TAKES_LOCK))('lose');
	const lostAt = performance.now();
	(await proxies[0].hold(READS_MEMORY))('pass');
	expect(performance.now() - lostAt, 'a holder counts as dead').toBeLessThan(10_000);
	expect(await burst.running).toEqual([]);
	expect(await runAgain(cluster, burst)).toEqual([]);
});

test('what the database cannot record for three seconds is recorded then', async ({ cluster }) => {
	cluster.service.faults.inject({ route: 'createInvitation', every: 1, delayMs: 600_000 });
	const burst = await startBurst(cluster, 'recorded', 2 * WORKER_CONCURRENCY);
	await expect.poll(() => burst.sent().length).toBe(2 * WORKER_CONCURRENCY);
	for (const proxy of proxies) proxy.lose(/processed_data/);
	cluster.service.faults.clear();
	await sleep(3_000);
	for (const proxy of proxies) proxy.lose();
	expect(await burst.running).toEqual([]);
	expect(await runAgain(cluster, burst)).toEqual([]);
});
