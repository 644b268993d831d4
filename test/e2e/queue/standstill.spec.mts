import { signalGroup } from '../../../tools/n8n/group.mts';
import { WORKER_CONCURRENCY } from '../support/cluster.mts';
import { startDatabaseProxy, type DatabaseProxy } from '../support/databaseProxy.mts';
import { expect, test } from '../support/queueFixtures.mts';
import { publishInviting, runAgain } from '../support/inviting.mts';

// Matches a query of n8n's helper, with its values and the answer.
const READS_MEMORY = /SELECT [^]*processed_data[^]*n:node-/;

/** The proxies between each worker and PostgreSQL. */
const proxies: DatabaseProxy[] = [];

test.beforeAll(async ({ cluster }) => {
	for (const worker of cluster.workers.splice(0)) {
		const proxy = await startDatabaseProxy(cluster.postgres);
		proxies.push(proxy);
		await worker.stop();
		const env = { DB_POSTGRESDB_PORT: String(proxy.port) };
		cluster.workers.push(await cluster.startWorker(env));
	}
});

test('a worker that stands still until others have taken over its lock overwrites nothing', async ({
	cluster,
}) => {
	// If the lock's holder dies, the others wait a minute.
	test.setTimeout(400_000);
	const burst = await publishInviting(cluster, 'still', { count: 100, size: 1 });
	const running = burst.workflow.run(burst.lists);
	const expectInvited = async (count: number) =>
		await expect.poll(() => burst.invited().length, { timeout: 120_000 }).toBeGreaterThan(count);
	await expectInvited(20);
	const pass = await proxies[0].hold(READS_MEMORY);
	const { pid } = cluster.workers[0];
	signalGroup(pid, 'SIGSTOP');
	pass();
	// Waits for more invitations than were in progress.
	await expectInvited(burst.invited().length + 4 * WORKER_CONCURRENCY);
	signalGroup(pid, 'SIGCONT');
	await running;
	expect((await runAgain(cluster, burst)).length).toBeLessThanOrEqual(WORKER_CONCURRENCY);
});
