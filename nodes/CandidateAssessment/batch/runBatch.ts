import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

/** What became of one item of a batch. */
export type Outcome =
	| { kind: 'success'; json: IDataObject; binary?: IBinaryKeyData }
	| { kind: 'failed'; error: Error }
	/** Never sent, or turned away by the service and not sent again. */
	| { kind: 'notSent' };

interface BatchOptions {
	/** Requests in flight at once, at most. */
	concurrency: number;
	/** Whether a request that failed leaves the others to go on. */
	continueOnFail: boolean;
	/** Aborted here when the batch is to stop; what is in flight may end. */
	stop: AbortController;
}

/**
 * Runs the tasks in order, so many at once, and gives each one's outcome in the same order. After
 * a failure no further task starts (unless `continueOnFail`), and those that wait give up.
 */
export async function runBatch<T>(
	tasks: readonly T[],
	run: (task: T) => Promise<Outcome>,
	{ concurrency, continueOnFail, stop }: BatchOptions,
): Promise<Outcome[]> {
	const outcomes = tasks.map((): Outcome => ({ kind: 'notSent' }));
	let next = 0;
	const worker = async () => {
		while (next < tasks.length && !stop.signal.aborted) {
			const index = next++;
			outcomes[index] = await run(tasks[index]);
			if (outcomes[index].kind === 'failed' && !continueOnFail) stop.abort();
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, tasks.length) }, worker));
	return outcomes;
}
