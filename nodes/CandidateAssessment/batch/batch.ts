import type { IExecuteFunctions } from 'n8n-workflow';
import type { Operation } from '../actions/operation';
import { failureKindOf } from '../errors/ItemError';
import type { ItemOutcome } from '../errors/ItemOutcome';
import type { ApiClient } from '../transport/ApiClient';
import type { Options } from './options';
import type { PreparedItem } from './prepareItems';

/** Everything that one execution of the node is to send. */
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

/** The outcome of each item; undefined where nothing is known. */
export type Outcomes = ReadonlyArray<ItemOutcome | undefined>;

/** How a batch is sent: each application once (`SendOnceRun.ts`), or every item in every run (`SendAllRun.ts`). */
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
		return { kind: failureKindOf(error), error: error as Error };
	}
}
