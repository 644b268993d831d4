import { rateLimit } from '../support/rateLimit.mts';
import { START } from '../support/workflows.mts';
import { batchWorkflow, nodeOf, type Contender } from './batches.mts';
import type { BenchEnvironment } from './environment.mts';

/** The result of a batch at a service with a rate limit. */
export interface RateLimitStats {
	contender: Contender;
	perSecond: number;
	items: number;
	/** Whether the execution succeeded. */
	succeeded: boolean;
	/** Invitations that the service created, and requests that it rejected with 429. */
	created: number;
	rejected: number;
	/** Duration of the execution, and the shortest possible one. */
	seconds: number;
	minSeconds: number;
}

const ITEMS = 60;
const RATES = [3, 10];

/** Runs the same batch for both at a rate limit with bursts of one second and `Retry-After: 1`. */
export async function measureRateLimits(
	environment: BenchEnvironment,
	log: (text: string) => void,
): Promise<RateLimitStats[]> {
	const stats: RateLimitStats[] = [];
	for (const perSecond of RATES) {
		for (const contender of ['ours', 'httpRequest'] as const) {
			const one = await measure(environment, contender, perSecond);
			log(
				`${perSecond} per second, ${contender}: ${one.created} of ${ITEMS} created in ${one.seconds.toFixed(1)} s`,
			);
			stats.push(one);
		}
	}
	return stats;
}

async function measure(
	environment: BenchEnvironment,
	contender: Contender,
	perSecond: number,
): Promise<RateLimitStats> {
	const { client, service } = environment;
	const workflow = await batchWorkflow(environment, ITEMS, await nodeOf(environment, contender));
	service.clearRequests();
	const limit = rateLimit(perSecond);
	service.faults.inject({
		route: 'createInvitation',
		status: 429,
		retryAfter: 1,
		every: 1,
		when: () => limit(performance.now()) > 0,
	});
	const started = performance.now();
	const { status } = await client.waitForExecution(await client.run(workflow, START), 120_000);
	const seconds = (performance.now() - started) / 1000;
	service.faults.clear();
	const countStatus = (expected: number) =>
		service.requests.filter((request) => request.status === expected).length;
	return {
		contender,
		perSecond,
		items: ITEMS,
		succeeded: status === 'success',
		created: countStatus(200),
		rejected: countStatus(429),
		seconds,
		minSeconds: (ITEMS - perSecond) / perSecond,
	};
}
