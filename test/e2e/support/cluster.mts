import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { startPartnerService } from '../../../mock-service/service.mts';
import { N8nClient } from '../../../tools/n8n/client.mts';
import type { N8nCommand } from '../../../tools/n8n/environment.mts';
import { installPackage } from '../../../tools/n8n/package.mts';
import { freePort, HOST } from '../../../tools/n8n/ports.mts';
import { startN8n, type N8nProcess } from '../../../tools/n8n/process.mts';
import { startPostgres, type Postgres } from './postgres.mts';
import { startRedis, type Redis } from './redis.mts';
import { OWNER, type TestEnvironment } from './testEnvironment.mts';

/** How many executions one worker runs at once. n8n warns below five. */
export const WORKER_CONCURRENCY = 5;

/**
 * Starts one main, one webhook process and two workers on PostgreSQL and Redis of their own. Each has
 * its own user folder with the package in it, like machines that share only the two servers.
 * @param databaseOf what a worker connects to: PostgreSQL, or a proxy to it
 */
export async function startCluster<Database extends { port: number }>(
	{ installation, tarball, folder }: TestEnvironment,
	databaseOf: (postgres: Postgres) => Promise<Database>,
) {
	const undo: Array<() => Promise<unknown>> = [];
	const stop = async () => {
		for (const step of undo.splice(0).reverse()) await step();
	};
	try {
		const service = await startPartnerService({ dataFile: join(folder, 'service.json') });
		undo.push(() => service.close());
		const postgres = await startPostgres(join(folder, 'postgres.log'));
		undo.push(() => postgres.stop());
		const redis = await startRedis(folder);
		undo.push(() => redis.stop());

		const webhookPort = await freePort();
		const shared = environment(postgres, redis, webhookPort);
		const start = async (name: string, command: N8nCommand, port?: number, own = {}) => {
			const userFolder = join(folder, name);
			await mkdir(userFolder);
			await installPackage({ tarball, userFolder });
			const env = { ...shared, ...own };
			const args = command === 'worker' ? [`--concurrency=${WORKER_CONCURRENCY}`] : [];
			const logFile = join(folder, `${name}.log`);
			const n8n = await startN8n({ installation, userFolder, logFile, port, env, command, args });
			undo.push(() => n8n.kill());
			return n8n;
		};
		// Starts first, to create the tables. It has the editor and the REST API, and takes no production calls.
		const main = await start('main', 'start');
		let started = 0;
		const startWorker = async () => {
			const database = await databaseOf(postgres);
			const env = { DB_POSTGRESDB_PORT: String(database.port) };
			const worker = await start(`worker-${++started}`, 'worker', undefined, env);
			return { ...worker, database };
		};
		const [webhook, ...workers] = await allOf([
			start('webhook', 'webhook', webhookPort),
			startWorker(),
			startWorker(),
		]);
		const client = await N8nClient.connect(main.baseUrl, OWNER);
		return { service, client, main, webhook, workers, startWorker, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Waits for all even if one fails, so that none is still starting when all are stopped. */
async function allOf<T extends unknown[] | []>(promises: T) {
	await Promise.allSettled(promises);
	return await Promise.all(promises);
}

function environment(postgres: Postgres, redis: Redis, webhookPort: number) {
	return {
		N8N_ENCRYPTION_KEY: 'only-for-tests',
		EXECUTIONS_MODE: 'queue',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
		N8N_WEBHOOK_URL: `http://${HOST}:${webhookPort}/`,
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: postgres.host,
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_DATABASE: postgres.database,
		DB_POSTGRESDB_USER: postgres.user,
		DB_POSTGRESDB_PASSWORD: postgres.password,
		// With its default of 2, n8n can answer a call 200 and fail the execution for want of a connection.
		DB_POSTGRESDB_POOL_SIZE: '10',
		QUEUE_BULL_REDIS_HOST: redis.host,
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		// How soon n8n notices a lost worker. With its defaults of 60 and 30 seconds, tests would wait minutes.
		QUEUE_WORKER_LOCK_DURATION: '15000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
		QUEUE_WORKER_STALLED_INTERVAL: '5000',
	};
}

/** The executions that these workers have started, according to their logs. */
export async function startedBy(...workers: N8nProcess[]): Promise<string[]> {
	return (await Promise.all(workers.map(async (worker) => await idsOf(worker, 'started')))).flat();
}

export async function underWayOn(worker: N8nProcess): Promise<string[]> {
	const finished = await idsOf(worker, 'finished');
	return (await startedBy(worker)).filter((id) => !finished.includes(id));
}

async function idsOf(worker: N8nProcess, event: string): Promise<string[]> {
	const lines = (await worker.log()).matchAll(new RegExp(`Worker ${event} execution (\\d+) `, 'g'));
	return [...lines].map(([, id]) => id);
}
