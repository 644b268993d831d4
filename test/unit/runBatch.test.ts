import * as fc from 'fast-check';
import {
	BATCH_FAILED,
	runBatch,
	type Outcome,
} from '../../nodes/CandidateAssessment/batch/runBatch';

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
	const run = async (task: number): Promise<Outcome> => {
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

describe('A batch', () => {
	it('runs its tasks in order, each at most once, and never more at once than it may', async () => {
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), batch, async (scheduler, { count, failing, ...rules }) => {
				const { starts, most, inFlight } = await runWith(scheduler, count, rules, failing);
				expect(starts).toEqual(Array.from(starts, (_, index) => index));
				expect(most).toBeLessThanOrEqual(rules.concurrency);
				expect(inFlight).toBe(0);
			}),
			{ numRuns: 500 },
		);
	});

	it('has as many in flight as it may, as long as there are that many', async () => {
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), batch, async (scheduler, { count, concurrency }) => {
				const rules = { concurrency, continueOnFail: false };
				const { most } = await runWith(scheduler, count, rules);
				expect(most).toBe(Math.min(count, concurrency));
			}),
			{ numRuns: 200 },
		);
	});

	it('gives the outcomes in the order of the tasks, whatever the order in which they end', async () => {
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), batch, async (scheduler, { count, failing, ...rules }) => {
				const { outcomes, starts } = await runWith(scheduler, count, rules, failing);
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

	it('starts nothing after a failure, and lets those in flight end', async () => {
		let stopped = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				batch,
				async (scheduler, { count, failing, concurrency }) => {
					const rules = { concurrency, continueOnFail: false, stop: new AbortController() };
					const { log, starts } = await runWith(scheduler, count, rules, failing);
					const failure = log.findIndex((line) =>
						failing.has(Number(/^end (\d+)/.exec(line)?.[1])),
					);
					expect(rules.stop.signal.aborted).toBe(failure >= 0);
					if (failure < 0) expect(starts).toHaveLength(count);
					else {
						stopped++;
						expect(log.slice(failure).filter((line) => line.startsWith('start'))).toEqual([]);
						expect(log.filter((line) => line.startsWith('end'))).toHaveLength(starts.length);
					}
				},
			),
			{ numRuns: 500 },
		);
		expect(stopped).toBeGreaterThan(50);
	});

	it('that is to keep going runs every task, however many fail', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				batch,
				async (scheduler, { count, failing, concurrency }) => {
					const rules = { concurrency, continueOnFail: true, stop: new AbortController() };
					const { starts, outcomes } = await runWith(scheduler, count, rules, failing);
					expect(starts).toHaveLength(count);
					expect(outcomes.some(({ kind }) => kind === 'notSent')).toBe(false);
					expect(rules.stop.signal.aborted).toBe(false);
				},
			),
			{ numRuns: 300 },
		);
	});

	it('that is stopped from outside starts nothing more, and keeps what was done', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				batch,
				fc.nat(24),
				async (scheduler, { count, concurrency, continueOnFail }, last) => {
					const stop = new AbortController();
					const { log, outcomes, starts } = await runWith(
						scheduler,
						count,
						{ concurrency, continueOnFail, stop },
						new Set(),
						(task) => task === last && stop.abort(),
					);
					const end = log.indexOf(`end ${last}`);
					if (end >= 0) {
						expect(log.slice(end).filter((line) => line.startsWith('start'))).toEqual([]);
					}
					expect(outcomes.filter(({ kind }) => kind === 'succeeded')).toHaveLength(starts.length);
				},
			),
			{ numRuns: 300 },
		);
	});

	it('that was stopped before it began runs nothing', async () => {
		const stop = new AbortController();
		stop.abort();
		const run = jest.fn();
		const outcomes = await runBatch([1, 2], run, { concurrency: 2, continueOnFail: true, stop });
		expect(run).not.toHaveBeenCalled();
		const notSent = { kind: 'notSent', error: stop.signal.reason as Error };
		expect(outcomes).toEqual([notSent, notSent]);
	});

	it('of nothing gives nothing', async () => {
		const stop = new AbortController();
		expect(await runBatch([], jest.fn(), { concurrency: 5, continueOnFail: false, stop })).toEqual(
			[],
		);
		expect(stop.signal.aborted).toBe(false);
	});

	it('runs tasks of the same key one after the other, in order, and others beside them', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.array(fc.nat(2), { maxLength: 12 }),
				fc.integer({ min: 1, max: 6 }),
				async (scheduler, keys, concurrency) => {
					const log: string[] = [];
					const tasks = keys.map((key, task) => ({ key, task }));
					const run = async ({ key, task }: (typeof tasks)[number]): Promise<Outcome> => {
						log.push(`start ${key} ${task}`);
						await scheduler.schedule(Promise.resolve());
						log.push(`end ${key} ${task}`);
						return { kind: 'succeeded', output: { json: { task } } };
					};
					const options = { concurrency, continueOnFail: false, stop: new AbortController() };
					const keyOf = ({ key }: (typeof tasks)[number]) => (key === 0 ? undefined : `${key}`);
					const outcomes = await scheduler.waitFor(runBatch(tasks, run, options, keyOf));
					expect(outcomes.map((outcome) => outcome.kind)).toEqual(keys.map(() => 'succeeded'));
					for (const key of [1, 2]) {
						const ofKey = log.filter((line) => line.split(' ')[1] === String(key));
						const inTurn = tasks
							.filter((task) => task.key === key)
							.flatMap(({ task }) => [`start ${key} ${task}`, `end ${key} ${task}`]);
						expect(ofKey).toEqual(inTurn);
					}
				},
			),
			{ numRuns: 300 },
		);
	});
});
