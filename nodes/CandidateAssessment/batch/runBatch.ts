import type { ItemOutput } from '../actions/operation';
import { ItemError } from '../errors/ItemError';

/** What became of one item of a batch. */
export type Outcome =
	| { kind: 'succeeded'; output: ItemOutput }
	/** It broke a rule and was never sent. */
	| { kind: 'invalid'; error: Error }
	/** The service said no. */
	| { kind: 'refused'; error: Error }
	/** The service may have carried it out; or may have in an earlier execution, and nothing was sent. */
	| { kind: 'unknown'; error: Error; isFromBefore?: true }
	/** It never reached the service. */
	| { kind: 'notSent'; error: Error }
	/** It was sent before, and that is fine. */
	| { kind: 'leftOut'; reason: string };

interface BatchOptions {
	/** Maximum number of tasks at once. */
	concurrency: number;
	/** Whether the other tasks go on after one has failed. */
	continueOnFail: boolean;
	/** Once aborted, no further task starts; what has started may finish. */
	stop: AbortController;
}

/** Why a task did not start after another one had failed. */
export const BATCH_FAILED = new ItemError({ message: 'Not sent: another item failed' }, 'notSent');

/** Why a task did not start after the user had stopped the execution. */
export const STOPPED = new ItemError({ message: 'Not sent: the execution was stopped' }, 'notSent');

/**
 * Runs tasks in order, several at once, and gives their outcomes in the same order. A task that did not
 * start because the batch was stopped is not sent, with the reason as its error.
 * @param keyOf tasks with the same key run one after the other
 */
export async function runBatch<T>(
	tasks: readonly T[],
	run: (task: T, index: number) => Promise<Outcome>,
	{ concurrency, continueOnFail, stop }: BatchOptions,
	keyOf: (task: T) => string | undefined = () => undefined,
): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	const lastByKey = new Map<string, Promise<Outcome>>();
	let next = 0;
	const runInTurn = async (task: T, index: number): Promise<Outcome> => {
		const key = keyOf(task);
		if (key === undefined) return await run(task, index);
		const before = lastByKey.get(key);
		const mine = before ? before.then(async () => await run(task, index)) : run(task, index);
		lastByKey.set(key, mine);
		return await mine;
	};
	const worker = async () => {
		while (next < tasks.length && !stop.signal.aborted) {
			const index = next++;
			outcomes[index] = await runInTurn(tasks[index], index);
			if (isFailure(outcomes[index]) && !continueOnFail) stop.abort(BATCH_FAILED);
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, tasks.length) }, worker));
	const { reason } = stop.signal as { reason: Error };
	return tasks.map((_task, index) => outcomes[index] ?? { kind: 'notSent', error: reason });
}

/** Whether something went wrong in this batch. */
export function isFailure(outcome: Outcome): boolean {
	switch (outcome.kind) {
		case 'succeeded':
		case 'leftOut':
			return false;
		case 'unknown':
			return !outcome.isFromBefore;
		case 'invalid':
		case 'refused':
		case 'notSent':
			return true;
		default:
			return outcome satisfies never;
	}
}
