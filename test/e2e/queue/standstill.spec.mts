import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

import { signalGroup } from '../../../tools/n8n/group.mts';
import { HOST } from '../../../tools/n8n/ports.mts';
import { WORKER_CONCURRENCY } from '../support/cluster.mts';
import type { Postgres } from '../support/postgres.mts';
import { expect, test } from '../support/queueFixtures.mts';
import { publishInviting, runAgain } from '../support/inviting.mts';

// Matches a query of n8n's helper, with its values and the answer.
const READS_MEMORY = /SELECT [^]*processed_data[^]*n:node-/;

/** The proxies between each worker and PostgreSQL. */
const proxies: Array<Awaited<ReturnType<typeof startDatabaseProxy>>> = [];

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

/** Matches the end of an answer: PostgreSQL is ready for the next statement. */
const IS_COMPLETE = /Z\0\0\0\x05[ITE]$/;

/** Starts a proxy between a process of n8n and PostgreSQL. */
async function startDatabaseProxy(to: Postgres) {
	let holding: { pattern: RegExp; resolve: (pass: () => void) => void } | undefined;
	const server = createServer((n8n) => {
		const postgres = connect(to);
		let [statement, answer] = ['', ''];
		n8n.on('data', (chunk) => {
			statement += chunk.toString('latin1');
			postgres.write(chunk);
		});
		postgres.on('data', async (chunk) => {
			answer += chunk.toString('latin1');
			// At n8n's login, PostgreSQL asks for the password.
			if (!IS_COMPLETE.test(answer) && !answer.startsWith('R')) return;
			const held = holding?.pattern.test(statement + answer) ? holding : undefined;
			if (held) holding = undefined;
			if (held) await new Promise<void>(held.resolve);
			n8n.write(answer, 'latin1');
			[statement, answer] = ['', ''];
		});
		n8n.on('error', () => {}).on('close', () => postgres.end());
		postgres.on('error', () => {}).on('close', () => n8n.destroy());
	}).unref();
	await once(server.listen(0, HOST), 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		/**
		 * Waits until PostgreSQL has executed a statement that, with its answer, matches the pattern. Holds the answer
		 * back, and returns a function that passes it on.
		 */
		hold: async (pattern: RegExp) =>
			await new Promise<() => void>((resolve) => (holding = { pattern, resolve })),
	};
}
