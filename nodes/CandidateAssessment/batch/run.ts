import {
	ApiError,
	BATCH_FAILED,
	ItemError,
	type ItemOutcome,
	MAX_OUTAGES,
	SERVICE_DOWN,
} from '../errors/ItemError';
import { sendItem, type Batch, type Outcomes } from './batch';
import { throwIfUnsendable } from './batchReport';

/** How a batch is sent: each application once (`SendOnceRun.ts`), or every item in every run (`SendAllRun`). */
export interface Run {
	/** What is known of each item without sending it. */
	lookUpOrClaim(): Promise<Outcomes>;
	/** Sends the items that are left. @returns the outcome of every item */
	send(): Promise<ItemOutcome[]>;
	/** Comes last, whatever happened before. Throws nothing. */
	close(): Promise<void>;
	/** What the user must know before the list is run again. */
	readonly warnings: readonly string[];
	/** What the user may want to know. */
	readonly hints: readonly string[];
}

/** The steps from look up to close (execute.ts). Throws if an item may not be sent: then nothing is. */
export async function runBatch(batch: Batch, run: Run): Promise<ItemOutcome[]> {
	try {
		const known = await run.lookUpOrClaim();
		if (!batch.continueOnFail) throwIfUnsendable(batch, known);
		return await run.send();
	} finally {
		await run.close();
	}
}

/** Sends every item in every run. */
export class SendAllRun implements Run {
	readonly warnings = [];
	readonly hints = [];

	constructor(private readonly batch: Batch) {}

	async lookUpOrClaim(): Promise<Outcomes> {
		return this.batch.items.map((item) => (item.kind === 'invalid' ? item : undefined));
	}

	async send(): Promise<ItemOutcome[]> {
		const { items } = this.batch;
		const sendOne = async (_item: unknown, index: number) => await sendItem(this.batch, index);
		const outcomes = await inParallel(items, sendOne, this.batch);
		return items.map((item, index) => (item.kind === 'invalid' ? item : outcomes[index]));
	}

	async close(): Promise<void> {}
}

/**
 * Runs tasks in order, several at once. Once `stop` is aborted, no task starts: the others have the outcome `notSent`,
 * with the abort reason as their error.
 * @returns the outcomes, in the tasks' order
 */
export async function inParallel<T>(
	tasks: readonly T[],
	run: (task: T, index: number) => Promise<ItemOutcome>,
	{ options, continueOnFail, stop }: Pick<Batch, 'options' | 'continueOnFail' | 'stop'>,
): Promise<ItemOutcome[]> {
	const outcomes: ItemOutcome[] = [];
	let next = 0;
	let outages = 0;
	const worker = async () => {
		while (next < tasks.length && !stop.signal.aborted) {
			const index = next++;
			const outcome = (outcomes[index] = await run(tasks[index], index));
			if ('error' in outcome && !continueOnFail) stop.abort(BATCH_FAILED);
			if (isOutage(outcome)) {
				if (++outages === MAX_OUTAGES) stop.abort(SERVICE_DOWN);
			} else if (['succeeded', 'refused'].includes(outcome.kind)) outages = 0;
		}
	};
	await Promise.all(Array.from({ length: options.concurrency }, worker));
	const { reason } = stop.signal as { reason: Error };
	return tasks.map((_task, index) => outcomes[index] ?? { kind: 'notSent', error: reason });
}

/** Unexpected errors count, too. All others concern one item, or were found before it was sent. */
function isOutage(outcome: ItemOutcome): boolean {
	if (!('error' in outcome)) return false;
	const { kind, error } = outcome;
	if (error instanceof ApiError) return error.countsAsOutage;
	return kind === 'unknown' && !(error instanceof ItemError);
}
