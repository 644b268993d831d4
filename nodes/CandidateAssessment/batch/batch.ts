import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import type { Operation } from '../actions/operation';
import { ItemError, type ItemOutcome, type ItemOutput } from '../errors/ItemError';
import type { ApplicationId } from '../memory/alreadyInvited';
import { placesOf, type NodeParameters } from '../parameters/NodeParameters';
import { readItems } from '../parameters/readItems';
import type { ApiClient } from '../transport/ApiClient';
import type { ApiRequest } from '../transport/types';
import type { Options } from './options';

/** Everything that one execution of the node is to send. */
export interface Batch {
	context: IExecuteFunctions;
	operation: Operation;
	options: Options;
	continueOnFail: boolean;
	/** Its output goes to a model. */
	isTool: boolean;
	/** Once aborted, nothing more is sent; what is in flight may finish. */
	stop: AbortController;
	items: readonly PreparedItem[];
	client: ApiClient;
}

/** The outcome of each item; undefined where nothing is known. */
export type Outcomes = ReadonlyArray<ItemOutcome | undefined>;

/** A checked input item: a request ready to send, or what is wrong with it. */
export type PreparedItem = { reference?: string } & (
	| {
			kind: 'ready';
			request: ApiRequest;
			application?: ApplicationId;
			output?: (data: IDataObject, client: ApiClient) => Promise<ItemOutput>;
	  }
	| { kind: 'invalid'; error: Error }
);

/** Without a pause, thousands of items would hold up every other workflow and webhook call. */
const PAUSE_EVERY_MS = 5;

/** Reads and checks every input item. Nothing is sent. Throws the reason of `stop` once it's aborted. */
export async function prepareItems(
	context: IExecuteFunctions,
	operation: Operation,
	stop: AbortSignal,
): Promise<PreparedItem[]> {
	const { properties, identifyingFields } = operation;
	const prepared: PreparedItem[] = [];
	let since = performance.now();
	for (const params of readItems(context, placesOf(properties), identifyingFields)) {
		stop.throwIfAborted();
		prepared.push(prepareItem(operation, params));
		if (performance.now() - since < PAUSE_EVERY_MS) continue;
		await sleep(1);
		since = performance.now();
	}
	return prepared;
}

function prepareItem(operation: Operation, params: NodeParameters): PreparedItem {
	let reference: string | undefined;
	try {
		reference = operation.reference?.(params);
		const request = operation.request(params);
		const application = operation.application?.(params, request);
		return { kind: 'ready', reference, request, application, output: operation.output?.(params) };
	} catch (error) {
		return { kind: 'invalid', reference, error: error as Error };
	}
}

export async function sendItem(
	{ client, operation, items }: Batch,
	index: number,
): Promise<ItemOutcome> {
	const item = items[index];
	if (item.kind === 'invalid') return item;
	try {
		const data = await client.request(item.request, operation);
		return { kind: 'succeeded', output: (await item.output?.(data, client)) ?? { json: data } };
	} catch (error) {
		const kind = error instanceof ItemError ? error.kind : 'unknown';
		return { kind, error: error as Error };
	}
}
