import * as fc from 'fast-check';
import type { ItemOutcome } from '../../nodes/CandidateAssessment/actions/operation';
import {
	BATCH_FAILED,
	runBatch,
	SERVICE_DOWN,
} from '../../nodes/CandidateAssessment/batch/runBatch';
import { ApiError, ItemError } from '../../nodes/CandidateAssessment/errors/ItemError';

/** A batch of numbered tasks whose ends come in the scheduler's order. */
async function runWith(
	scheduler: fc.Scheduler,
	count: number,
	rules: { concurrency: number; continueOnFail: boolean; stop?: AbortController },
	failing: ReadonlySet<number> = new Set(),
	onEnd: (task: number) => void = () => {},
) {
	const log: string[] = [];
	const starts: number[] = [];
	let inFlight = 0;
	let most = 0;
	const run = async (task: number): Promise<ItemOutcome> => {
		log.push(`start ${task}`);
		starts.push(task);
		most = Math.max(most, ++inFlight);
		await scheduler.schedule(Promise.resolve(), `task ${task}`);
		inFlight--;
		log.push(`end ${task}`);
		onEnd(task);
		return failing.has(task)
			? { kind: 'refused', error: new Error(`task ${task}`) }
			: { kind: 'succeeded', output: { json: { task } } };
	};
	const tasks = Array.from({ length: count }, (_, index) => index);
	const stop = rules.stop ?? new AbortController();
	const outcomes = await scheduler.waitFor(runBatch(tasks, run, { ...rules, stop }));
	return { outcomes, log, starts, most, inFlight };
}

const batch = fc.record({
	count: fc.nat(25),
	concurrency: fc.integer({ min: 1, max: 30 }),
	failing: fc.uniqueArray(fc.nat(24), { maxLength: 4 }).map((tasks) => new Set(tasks)),
	continueOnFail: fc.boolean(),
});

it('a batch runs its tasks in order within its concurrency, and gives their outcomes in order', async () => {
	await fc.assert(
		fc.asyncProperty(fc.scheduler(), batch, async (scheduler, { count, failing, ...rules }) => {
			const { outcomes, starts, most, inFlight } = await runWith(scheduler, count, rules, failing);
			expect(starts).toEqual(Array.from(starts, (_, index) => index));
			expect(most).toBeLessThanOrEqual(rules.concurrency);
			expect(inFlight).toBe(0);
			expect(outcomes).toHaveLength(count);
			outcomes.forEach((outcome, task) => {
				if (!starts.includes(task)) {
					expect(outcome).toEqual({ kind: 'notSent', error: BATCH_FAILED });
				} else if (failing.has(task)) {
					expect(outcome).toEqual({ kind: 'refused', error: new Error(`task ${task}`) });
				} else expect(outcome).toEqual({ kind: 'succeeded', output: { json: { task } } });
			});
		}),
		{ numRuns: 500 },
	);
});

it('a batch starts nothing after a failure or a stop, and lets tasks in flight end', async () => {
	let stopped = 0;
	const stopAfter = fc.option(fc.nat(24));
	await fc.assert(
		fc.asyncProperty(fc.scheduler(), batch, stopAfter, async (scheduler, options, last) => {
			const { count, failing, concurrency, continueOnFail } = options;
			const stop = new AbortController();
			const { log, outcomes, starts } = await runWith(
				scheduler,
				count,
				{ concurrency, continueOnFail, stop },
				failing,
				(task) => task === last && stop.abort(),
			);
			const isLast = (task: number) => task === last || (!continueOnFail && failing.has(task));
			const end = log.findIndex((line) => isLast(Number(/^end (\d+)/.exec(line)?.[1])));
			expect(stop.signal.aborted).toBe(end >= 0);
			expect(log.filter((line) => line.startsWith('end'))).toHaveLength(starts.length);
			expect(outcomes.filter(({ kind }) => kind !== 'notSent')).toHaveLength(starts.length);
			if (end < 0) expect(starts).toHaveLength(count);
			else {
				stopped++;
				expect(log.slice(end).filter((line) => line.startsWith('start'))).toEqual([]);
			}
		}),
		{ numRuns: 800 },
	);
	expect(stopped).toBeGreaterThan(50);
});

const endings = {
	succeeded: { kind: 'succeeded', output: { json: {} } },
	refused: {
		kind: 'refused',
		error: new ApiError({ message: 'No' }, { outcome: 'refused', httpStatus: 422 }),
	},
	tokenRefused: {
		kind: 'refused',
		error: new ApiError({ message: 'No' }, { outcome: 'refused', httpStatus: 401 }),
	},
	unknown: {
		kind: 'unknown',
		error: new ApiError({ message: 'Lost' }, { outcome: 'unknown' }),
	},
	notSent: { kind: 'notSent', error: new ApiError({ message: 'No' }, { outcome: 'notSent' }) },
	invalid: { kind: 'invalid', error: new Error('Too long') },
	alreadySent: { kind: 'alreadySent', reason: 'Invited' },
	inDoubt: { kind: 'unknown', error: new ItemError({ message: 'Lost' }, 'unknown') },
	ready: { kind: 'ready' },
} satisfies Record<string, ItemOutcome>;
type Ending = keyof typeof endings;

/** One after the other. Gives how many were started. */
async function started(tasks: Ending[]): Promise<number> {
	const options = { concurrency: 1, continueOnFail: true, stop: new AbortController() };
	const outcomes = await runBatch(tasks, async (task) => endings[task], options);
	return outcomes.filter((outcome) => !('error' in outcome) || outcome.error !== SERVICE_DOWN)
		.length;
}

it.each<[string, Ending[], number]>([
	['three of unknown outcome', ['unknown', 'unknown', 'unknown', 'succeeded'], 3],
	['three that were not sent', ['succeeded', 'notSent', 'notSent', 'notSent', 'succeeded'], 4],
	['three with a refused token', ['tokenRefused', 'tokenRefused', 'tokenRefused', 'unknown'], 3],
	['three of any of these', ['unknown', 'notSent', 'tokenRefused', 'succeeded'], 3],
	[
		'three with others between that were never sent',
		['unknown', 'invalid', 'unknown', 'alreadySent', 'inDoubt', 'unknown', 'succeeded'],
		6,
	],
])('a batch that continues stops after %s in a row', async (_name, tasks, count) => {
	expect(await started(tasks)).toBe(count);
});

it.each<Ending>(['succeeded', 'refused'])(
	'a batch that continues goes on where some %s come between',
	async (between) => {
		const some = [between, between, between];
		const tasks: Ending[] = ['unknown', 'unknown', ...some, 'unknown', 'notSent', 'succeeded'];
		expect(await started(tasks)).toBe(tasks.length);
	},
);
