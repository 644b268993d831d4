import { startCluster } from './cluster.mts';
import { startDatabaseProxy, type DatabaseProxy } from './databaseProxy.mts';
import { test as base } from './fixtures.mts';

export { expect } from './fixtures.mts';

/** n8n in queue mode, whose workers reach PostgreSQL through proxies, and a mock service. */
export type Cluster = Awaited<ReturnType<typeof startCluster<DatabaseProxy>>>;

export const test = base.extend<{}, { cluster: Cluster }>({
	/** Tests in the same worker share it. */
	cluster: [
		async ({ environment }, use) => {
			const cluster = await startCluster(environment, startDatabaseProxy);
			await use(cluster);
			await cluster.stop();
		},
		{ scope: 'worker', timeout: 600_000 },
	],
});
