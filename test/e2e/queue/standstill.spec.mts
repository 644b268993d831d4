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
const WRITES_MEMORY = /UPDATE [^]*processed_data[^]*n:node-/;
const MEMORY_WRITTEN = /UPDATE [^]*processed_data[^]*n:node-[^]*UPDATE 1/;

/** How late a packet comes, or how long a process stands still. */
const LATE_MS = 20_000;

/** Between each worker and PostgreSQL. */
const proxies: DatabaseProxy[] = [];

const startWorkerBehind = async ({ startWorker }: Cluster, { port }: DatabaseProxy) =>
	await startWorker({ DB_POSTGRESDB_PORT: String(port) });

test.beforeAll(async ({ cluster }) => {
	for (const worker of cluster.workers.splice(0)) {
		const proxy = await startDatabaseProxy(cluster.postgres);
		proxies.push(proxy);
		await worker.stop();
		cluster.workers.push(await startWorkerBehind(cluster, proxy));
	}
});

// A holder that died costs the others a minute.
test.describe.configure({ timeout: 400_000 });

async function startBurst(cluster: Cluster, name: string, count = 100) {
	const burst = await publishInviting(cluster, name, { count, size: 1 });
	return { ...burst, running: burst.workflow.run(burst.lists) };
}

test('a worker that stands still until others have taken over its lock overwrites nothing', async ({
	cluster,
}) => {
	const burst = await startBurst(cluster, 'still');
	const expectInvited = async (count: number) =>
		await expect.poll(() => burst.invited().length, { timeout: 120_000 }).toBeGreaterThan(count);
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

test('a worker that was not told that it has the lock costs the others a minute, and no more', async ({
	cluster,
}) => {
	const burst = await startBurst(cluster, 'taken', 20);
	(await proxies[0].hold(TAKES_LOCK))('lose');
	expect(await burst.running).toEqual([]);
	const seconds = await longestWait(cluster, burst);
	expect(seconds, 'nobody had to wait').toBeGreaterThan(60);
	expect(seconds, 'somebody waited twice').toBeLessThan(120);
	expect(await runAgain(cluster, burst)).toEqual([]);
});

test('a worker that is killed while it has the lock makes nobody forgotten', async ({
	cluster,
}) => {
	const burst = await startBurst(cluster, 'holder');
	await expect.poll(() => burst.invited().length).toBeGreaterThan(20);
	const end = await proxies[0].hold(READS_MEMORY);
	await cluster.workers[0].kill();
	end('lose');
	cluster.workers[0] = await startWorkerBehind(cluster, proxies[0]);
	await burst.running;
	expect((await runAgain(cluster, burst)).length).toBeLessThanOrEqual(WORKER_CONCURRENCY);
	await longestWait(cluster, burst);
});

for (const isKilled of [false, true]) {
	const whose = isKilled ? 'a worker that was killed meanwhile' : 'a worker';
	test(`what ${whose} writes, and reaches the database ${LATE_MS / 1000} seconds late, overwrites nothing`, async ({
		cluster,
	}) => {
		const burst = await startBurst(cluster, isKilled ? 'posthumous' : 'late');
		await expect.poll(() => burst.invited().length).toBeGreaterThan(20);
		const deliver = await proxies[0].delay(WRITES_MEMORY);
		if (isKilled) await cluster.workers[0].kill();
		await sleep(LATE_MS);
		deliver();
		if (isKilled) cluster.workers[0] = await startWorkerBehind(cluster, proxies[0]);
		await burst.running;
		expect((await runAgain(cluster, burst)).length).toBeLessThanOrEqual(WORKER_CONCURRENCY);
		await longestWait(cluster, burst);
	});
}

test(`a worker that stands still for ${LATE_MS / 1000} seconds overwrites nothing`, async ({
	cluster,
}) => {
	const burst = await startBurst(cluster, 'stopped');
	await expect.poll(() => burst.invited().length).toBeGreaterThan(20);
	const end = await proxies[0].hold(READS_MEMORY);
	const { pid } = cluster.workers[0];
	signalGroup(pid, 'SIGSTOP');
	end('pass');
	await sleep(LATE_MS);
	signalGroup(pid, 'SIGCONT');
	await burst.running;
	expect((await runAgain(cluster, burst)).length).toBeLessThanOrEqual(WORKER_CONCURRENCY);
	await longestWait(cluster, burst);
});

test('lost answers of the database make nobody forgotten', async ({ cluster }) => {
	const burst = await startBurst(cluster, 'answers');
	const loseAnswers = async (proxy: DatabaseProxy) => {
		for (const answer of [TAKES_LOCK, READS_MEMORY, MEMORY_WRITTEN, RELEASES_LOCK]) {
			(await proxy.hold(answer))('lose');
		}
	};
	await Promise.all(proxies.map(loseAnswers));
	await burst.running;
	expect((await runAgain(cluster, burst)).length).toBeLessThanOrEqual(2 * WORKER_CONCURRENCY);
	await longestWait(cluster, burst);
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

/** How many seconds the slowest execution of a burst took, for the report, too. */
async function longestWait({ client }: Cluster, { workflow }: { workflow: { id: string } }) {
	const executions = await client.allExecutions(workflow.id);
	const seconds = executions.map(
		({ startedAt, stoppedAt }) => (Date.parse(stoppedAt!) - Date.parse(startedAt!)) / 1000,
	);
	const longest = Math.max(...seconds);
	const description = `${longest.toFixed(1)} s of ${seconds.length} executions`;
	test.info().annotations.push({ type: 'longest wait', description });
	return longest;
}
