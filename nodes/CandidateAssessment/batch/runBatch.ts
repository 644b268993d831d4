import { ApiError, ItemError } from '../errors/ItemError';
import { isFailure, type ItemOutcome } from '../actions/ItemOutcome';

export interface BatchOptions {
	concurrency: number;
	/** The other tasks go on after one has failed. */
	continueOnFail: boolean;
	/** Once aborted, no further task starts; what has started may finish. */
	stop: AbortController;
}

/** Why a task did not start. */
export const BATCH_FAILED = new ItemError({ message: 'Not sent: another item failed' }, 'notSent');
export const STOPPED = new ItemError({ message: 'Not sent: the execution was stopped' }, 'notSent');

/** After this many in a row without an answer, the service is down: the others would be in doubt, too. */
const MAX_UNANSWERED = 3;

export const SERVICE_DOWN = new ItemError(
	{
		message: `Not sent: ${MAX_UNANSWERED} requests in a row failed`,
		description: 'Their errors say why. Once that is solved, run the workflow again.',
	},
	'notSent',
);

/**
 * Runs tasks in order, and gives their outcomes in the same order. The first one goes alone; once one has
 * succeeded, several go at once, until one has no answer. A task that did not start because the batch was
 * stopped is not sent, with the reason as its error.
 */
export async function runBatch<T>(
	tasks: readonly T[],
	run: (task: T, index: number) => Promise<ItemOutcome>,
	{ concurrency, continueOnFail, stop }: BatchOptions,
): Promise<ItemOutcome[]> {
	const outcomes: ItemOutcome[] = [];
	let next = 0;
	let isAnswering = false;
	let unanswered = 0;
	const runNext = async (): Promise<ItemOutcome> => {
		const index = next++;
		const outcome = (outcomes[index] = await run(tasks[index], index));
		if (isFailure(outcome) && !continueOnFail) stop.abort(BATCH_FAILED);
		if (isUnanswered(outcome)) {
			isAnswering = false;
			if (++unanswered === MAX_UNANSWERED) stop.abort(SERVICE_DOWN);
		} else if (['succeeded', 'refused'].includes(outcome.kind)) unanswered = 0;
		return outcome;
	};
	const isMore = () => next < tasks.length && !stop.signal.aborted;
	const worker = async () => {
		while (isMore() && isAnswering) await runNext();
	};
	while (isMore()) {
		const outcome = await runNext();
		isAnswering = outcome.kind === 'succeeded';
		if (isAnswering) await Promise.all(Array.from({ length: concurrency }, worker));
	}
	const { reason } = stop.signal as { reason: Error };
	return tasks.map((_task, index) => outcomes[index] ?? { kind: 'notSent', error: reason });
}

/** The service is down, or takes nothing from this sender. */
function isUnanswered(outcome: ItemOutcome): boolean {
	if (!isFailure(outcome) || !(outcome.error instanceof ApiError)) return false;
	return outcome.kind !== 'refused' || outcome.error.httpStatus === 401;
}
