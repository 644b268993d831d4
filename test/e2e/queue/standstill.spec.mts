import { signalGroup } from '../../../tools/n8n/group.mts';
import { WORKER_CONCURRENCY, type Cluster } from '../../support/cluster.mts';
import { startDatabaseProxy, type DatabaseProxy } from '../../support/databaseProxy.mts';
import { expect, test } from './fixtures.mts';
import { publishInviting, runAgain } from './inviting.mts';

// What n8n's helper asks, with the values and the answer. The node's row is the memory, the other one the lock.
const READS_MEMORY = /SELECT [^]*processed_data[^]*n:node-/;
const TAKES_LOCK = /INSERT INTO [^]*processed_data(?![^]*n:node-)[^]*INSERT 0 1/;
const RELEASES_LOCK = /DELETE FROM [^]*processed_data[^]*DELETE 1/;
const MEMORY_WRITTEN = /UPDATE [^]*processed_data[^]*n:node-[^]*UPDATE 1/;

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

async function startBurst(cluster: Cluster, name: string) {
	const burst = await publishInviting(cluster, name, { count: 100, size: 1 });
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
});
