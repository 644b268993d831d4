import { rateLimit } from '../support/rateLimit.mts';
import { START } from '../support/workflows.mts';
import { batchWorkflow, nodeOf, type Contender } from './batches.mts';
import type { Ground } from './environment.mts';

/** What came of a batch at a service that takes only so many a second. */
export interface RateLimitFigures {
	contender: Contender;
	perSecond: number;
	items: number;
	/** Whether n8n says that the execution succeeded. */
	succeeded: boolean;
	/** Invitations that the service took, and requests that it turned away with 429. */
	taken: number;
	refused: number;
	/** Until the execution ended, and the least that so many invitations can take there. */
	seconds: number;
	least: number;
}

const ITEMS = 60;
const RATES = [3, 10];

/** The same batch for both, at services with a limit: as many at once as in a second, and `Retry-After: 1`. */
export async function measureRateLimits(
	ground: Ground,
	say: (text: string) => void,
): Promise<RateLimitFigures[]> {
	const figures: RateLimitFigures[] = [];
	for (const perSecond of RATES) {
		for (const contender of ['ours', 'httpRequest'] as const) {
			const one = await measure(ground, contender, perSecond);
			say(
				`${perSecond} a second, ${contender}: ${one.taken} of ${ITEMS} taken in ${one.seconds.toFixed(1)} s`,
			);
			figures.push(one);
		}
	}
	return figures;
}

async function measure(
	ground: Ground,
	contender: Contender,
	perSecond: number,
): Promise<RateLimitFigures> {
	const { client, service } = ground;
	const workflow = await batchWorkflow(ground, ITEMS, await nodeOf(ground, contender));
	service.clearRequests();
	const limit = rateLimit(perSecond);
	service.faults.order({
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
	const answered = (wanted: number) =>
		service.requests.filter((request) => request.status === wanted).length;
	return {
		contender,
		perSecond,
		items: ITEMS,
		succeeded: status === 'success',
		taken: answered(200),
		refused: answered(429),
		seconds,
		least: (ITEMS - perSecond) / perSecond,
	};
}
