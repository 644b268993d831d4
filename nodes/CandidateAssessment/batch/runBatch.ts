import { ApiError, ItemError } from '../errors/ItemError';
import type { ItemOutcome } from '../actions/operation';

export interface BatchOptions {
	concurrency: number;
	/** The other tasks go on after one fails. */
	continueOnFail: boolean;
	/** Once aborted, no further task starts; what has started may finish. */
	stop: AbortController;
}

/** Reasons for a task not to start. */
export const BATCH_FAILED = new ItemError({ message: 'Not sent: another item failed' }, 'notSent');
export const STOPPED = new ItemError({ message: 'Not sent: the execution was stopped' }, 'notSent');

/** After this many failures in a row, the service is down or the token refused: the others would fail, too. */
const MAX_OUTAGES = 3;

export const SERVICE_DOWN = new ItemError(
	{
		message: `Not sent: ${MAX_OUTAGES} requests in a row failed`,
		description: 'Their errors say why. Once that is solved, run the workflow again.',
	},
	'notSent',
);

/**
 * Runs tasks in order, several at once, and gives their outcomes in the same order. A task that the
 * stop kept from starting has the outcome `notSent`, and the stop's reason as its error.
 */
export async function runBatch<T>(
	tasks: readonly T[],
	run: (task: T, index: number) => Promise<ItemOutcome>,
	{ concurrency, continueOnFail, stop }: BatchOptions,
): Promise<ItemOutcome[]> {
	const outcomes: ItemOutcome[] = [];
	let next = 0;
	let outages = 0;
	const worker = async () => {
		while (next < tasks.length && !stop.signal.aborted) {
			const index = next++;
			const outcome = (outcomes[index] = await run(tasks[index], index));
			const error = 'error' in outcome ? outcome.error : undefined;
			if (error && !continueOnFail) stop.abort(BATCH_FAILED);
			if (error instanceof ApiError && error.isOutage) {
				if (++outages === MAX_OUTAGES) stop.abort(SERVICE_DOWN);
			} else if (['succeeded', 'refused'].includes(outcome.kind)) outages = 0;
		}
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
	const { reason } = stop.signal as { reason: Error };
	return tasks.map((_task, index) => outcomes[index] ?? { kind: 'notSent', error: reason });
}
