import { rateLimit } from '../support/rateLimit.mts';
import { START } from '../support/workflows.mts';
import { batchWorkflow, nodeOf, type Contender } from './contenders.mts';
import type { BenchEnvironment } from './environment.mts';

/** The result of a batch at a service with a rate limit. */
export interface RateLimitStats {
	contender: Contender;
	perSecond: number;
	items: number;
	/** How the execution ended. */
	status: string;
	/** Invitations that the service created, and requests that it rejected with 429. */
	created: number;
	rejected: number;
	/** Duration of the execution, and the shortest possible one. */
	seconds: number;
	minSeconds: number;
}

const ITEMS = 60;

/** Runs the same batch for both at a rate limit with bursts of one second and `Retry-After: 1`. */
export async function measureRateLimits(environment: BenchEnvironment): Promise<RateLimitStats[]> {
	const { client, service, log } = environment;
	const stats: RateLimitStats[] = [];
	for (const perSecond of [3, 10]) {
		for (const contender of ['ours', 'httpRequest'] as const) {
			const workflow = await batchWorkflow(environment, ITEMS, nodeOf(environment, contender));
			service.clearRequests();
			const limit = rateLimit(perSecond);
			service.faults.inject({
				...{ route: 'createInvitation', status: 429, retryAfter: 1, every: 1 },
				when: () => limit(performance.now()) > 0,
			});
			const started = performance.now();
			const { status } = await client.waitForExecution(await client.run(workflow, START), 120_000);
			const seconds = (performance.now() - started) / 1000;
			service.faults.clear();
			const count = (expected: number) =>
				service.requests.filter((request) => request.status === expected).length;
			const [created, rejected] = [count(200), count(429)];
			const minSeconds = (ITEMS - perSecond) / perSecond;
			stats.push({
				...{ contender, perSecond, items: ITEMS, status },
				...{ created, rejected, seconds, minSeconds },
			});
			log(`${perSecond} per second, ${contender}: ${created} created in ${seconds.toFixed(1)} s`);
		}
	}
	return stats;
}
