import { startCluster, type Cluster } from './cluster.mts';
import { test as base } from './fixtures.mts';

export { expect } from './fixtures.mts';

export const test = base.extend<{}, { cluster: Cluster }>({
	/** n8n in queue mode, and a mock service. Tests in the same worker share it. */
	cluster: [
		async ({ environment }, use) => {
			const cluster = await startCluster(environment);
			await use(cluster);
			await cluster.stop();
		},
		{ scope: 'worker', timeout: 600_000 },
	],
});
