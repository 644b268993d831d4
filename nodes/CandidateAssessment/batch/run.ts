import type { IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome, Operation } from '../actions/operation';
import { certaintyOf } from '../errors/ItemError';
import type { ApiClient } from '../transport/ApiClient';
import type { Options } from './options';
import type { PreparedItem } from './prepareItems';
import { runBatch } from './runBatch';

/** What one execution of the node is to send. */
export interface Batch {
	context: IExecuteFunctions;
	operation: Operation;
	options: Options;
	continueOnFail: boolean;
	/** Once aborted, nothing more is sent; what is in flight may finish. */
	stop: AbortController;
	items: readonly PreparedItem[];
	client: ApiClient;
}

/** By item; undefined for those that nothing is known of. */
export type Outcomes = ReadonlyArray<ItemOutcome | undefined>;

/** How a batch is sent: each application once (`SendOnceRun.ts`), or every item in every run (below). */
export interface Run {
	/** What is known of each item without sending it. */
	ask(): Promise<Outcomes>;
	/** Sends those that are left. Gives the outcome of every item. */
	send(): Promise<ItemOutcome[]>;
	/** Comes last, whatever happened before. Throws nothing. */
	close(): Promise<void>;
	/** What the user must know before the list is run again. */
	readonly warnings: readonly string[];
	/** What the user may want to know. */
	readonly hints: readonly string[];
}

export async function sendItem(
	{ client, operation, items }: Batch,
	index: number,
): Promise<ItemOutcome> {
	const item = items[index];
	if (item.kind === 'invalid') return item;
	try {
		const data = await client.request(item.request, operation);
		const output = (await item.output?.(data, client)) ?? { json: data };
		return { kind: 'succeeded', output };
	} catch (error) {
		return { kind: certaintyOf(error), error: error as Error };
	}
}

export class SendAllRun implements Run {
	readonly warnings = [];
	readonly hints = [];

	constructor(private readonly batch: Batch) {}

	async ask(): Promise<Outcomes> {
		return this.batch.items.map((item) => (item.kind === 'invalid' ? item : undefined));
	}

	async send(): Promise<ItemOutcome[]> {
		const { items } = this.batch;
		const valid = [...items.keys()].filter((index) => items[index].kind === 'ready');
		const send = async (index: number) => await sendItem(this.batch, index);
		const sent = (await runBatch(valid, send, this.batch)).values();
		return items.map((item) => (item.kind === 'invalid' ? item : sent.next().value!));
	}

	async close(): Promise<void> {}
}
