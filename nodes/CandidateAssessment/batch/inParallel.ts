import { ApiError, ItemError, NotSentError } from '../errors/ItemError';
import type { ItemOutcome } from '../errors/ItemOutcome';
import type { Batch } from './batch';

interface Sending extends Pick<Batch, 'continueOnFail' | 'stop'> {
	options: Pick<Batch['options'], 'concurrency'>;
}

export const BATCH_FAILED = new NotSentError({ message: 'Not sent: another item failed' });
export const STOPPED = new NotSentError({ message: 'Not sent: the execution was stopped' });

/** After this many failures in a row, the service is down or the token refused: the others would fail, too. */
const MAX_OUTAGES = 3;

export const SERVICE_DOWN = new NotSentError({
	message: `Not sent: ${MAX_OUTAGES} requests in a row failed`,
	description: 'Fix the cause shown in their errors, then run the workflow again.',
});

/**
 * Runs tasks in order, several at once. Once `stop` is aborted, no task starts: the others have the outcome `notSent`,
 * with the abort reason as their error.
 * @returns the outcomes, in the tasks' order
 */
export async function inParallel<T>(
	tasks: readonly T[],
	run: (task: T, index: number) => Promise<ItemOutcome>,
	{ options, continueOnFail, stop }: Sending,
): Promise<ItemOutcome[]> {
	const outcomes: ItemOutcome[] = [];
	let next = 0;
	let outages = 0;
	const worker = async () => {
		while (next < tasks.length && !stop.signal.aborted) {
			const index = next++;
			const outcome = (outcomes[index] = await run(tasks[index], index));
			if ('error' in outcome && !continueOnFail) stop.abort(BATCH_FAILED);
			if (wouldFailForAll(outcome)) {
				if (++outages === MAX_OUTAGES) stop.abort(SERVICE_DOWN);
			} else if (['succeeded', 'refused'].includes(outcome.kind)) outages = 0;
		}
	};
	await Promise.all(Array.from({ length: options.concurrency }, worker));
	const { reason } = stop.signal as { reason: Error };
	return tasks.map((_task, index) => outcomes[index] ?? { kind: 'notSent', error: reason });
}

/** Unexpected errors count, too. All others concern one item, or were found before it was sent. */
function wouldFailForAll(outcome: ItemOutcome): boolean {
	if (!('error' in outcome)) return false;
	const { kind, error } = outcome;
	if (error instanceof ApiError) return error.wouldFailForAll;
	return kind === 'unknown' && !(error instanceof ItemError);
}
