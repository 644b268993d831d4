import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { findOperation } from '../actions';
import type { Operation } from '../actions/operation';
import { ApiError } from '../errors/ApiError';
import { errorItemMaker } from '../errors/toErrorItem';
import { toNodeError } from '../errors/toNodeError';
import { createApiClient, type ApiClient } from '../transport/ApiClient';
import { formatBatchReport, indexesBy, itemName, itemRanges } from './batchReport';
import { readSendOptions } from './options';
import { prepareItems, type PreparedItem } from './prepareItems';
import { BATCH_FAILED, runBatch, type Outcome } from './runBatch';

/**
 * Runs one operation over all input items: checks every item, then sends several at once, and gives
 * one output item for each input item that was sent, in the input's order. Throws `NodeOperationError`
 * before anything is sent, and an error with a report of the batch afterwards. If the node is set to
 * continue, items that failed become error items instead.
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const continueOnFail = context.continueOnFail();
	try {
		const operation = findOperation(
			context.getNodeParameter('resource', 0) as string,
			context.getNodeParameter('operation', 0) as string,
		);
		const items = await prepareItems(context, operation);
		if (!continueOnFail) throwIfInvalid(context, items);
		const outcomes = await sendItems(context, operation, items, continueOnFail);
		if (!continueOnFail) throwIfIncomplete(context, operation, items, outcomes);
		return toOutput(context, outcomes);
	} catch (error) {
		const nodeError = toNodeError(context, error as Error);
		if (!continueOnFail) throw nodeError;
		const toErrorItem = errorItemMaker(context);
		return context.getInputData().map((_, index) => toErrorItem(index, 'notSent', nodeError));
	}
}

/** The same mistake in many items is said once. */
function throwIfInvalid(context: IExecuteFunctions, items: readonly PreparedItem[]): void {
	const messageOf = (item: PreparedItem) =>
		item.kind === 'invalid' ? item.error.message : undefined;
	const [first, ...others] = [...indexesBy(items, messageOf)];
	if (!first) return;
	const named = ([, indexes]: [string, number[]]) =>
		indexes.length === 1 ? itemName(indexes[0], items[indexes[0]].reference) : itemRanges(indexes);
	const [index] = first[1];
	const { error } = items[index] as Extract<PreparedItem, { kind: 'invalid' }>;
	throw toNodeError(context, error, {
		prefix: items.length > 1 ? `${capitalized(named(first))}: ` : '',
		details: [
			'Nothing was sent.',
			...others.map((other) => `${capitalized(named(other))}: ${other[0]}`),
		].join('\n'),
	});
}

async function sendItems(
	context: IExecuteFunctions,
	operation: Operation,
	items: readonly PreparedItem[],
	continueOnFail: boolean,
): Promise<Outcome[]> {
	const options = readSendOptions(context);
	const stop = linkAbort(context.getExecutionCancelSignal());
	const client = await createApiClient(context, options, stop);
	return await runBatch(
		items,
		async (item) => await sendItem(client, operation, item),
		{ concurrency: options.concurrency, continueOnFail, stop },
		(item) => (item.kind === 'ready' ? operation.sequenceKey?.(item.request) : undefined),
	);
}

const STOPPED = new ApiError({ message: 'Not sent: the execution was stopped' }, 'notSent');

/** A controller that stops with the execution, and can be stopped on its own. */
function linkAbort(execution?: AbortSignal): AbortController {
	const stop = new AbortController();
	if (execution?.aborted) stop.abort(STOPPED);
	execution?.addEventListener('abort', () => stop.abort(STOPPED), { once: true });
	return stop;
}

async function sendItem(
	client: ApiClient,
	operation: Operation,
	item: PreparedItem,
): Promise<Outcome> {
	if (item.kind === 'invalid') return item;
	try {
		const data = await client.request(item.request, operation);
		const output = (await item.output?.(data, client)) ?? { json: data };
		return { kind: 'succeeded', output };
	} catch (error) {
		const kind = error instanceof ApiError ? error.outcome : 'unknown';
		return { kind, error: error as Error };
	}
}

function throwIfIncomplete(
	context: IExecuteFunctions,
	operation: Operation,
	items: readonly PreparedItem[],
	outcomes: readonly Outcome[],
): void {
	const index = firstFailure(outcomes);
	const failed = outcomes[index];
	if (!failed || failed.kind === 'succeeded') return;
	const isSeveral = items.length > 1;
	const isNamed = isSeveral && failed.kind !== 'notSent';
	const receipt = (outcome: Outcome) =>
		outcome.kind === 'succeeded' ? operation.receipt?.(outcome.output.json) : undefined;
	throw toNodeError(context, failed.error, {
		prefix: isNamed ? `${capitalized(itemName(index, items[index].reference))}: ` : '',
		details: isSeveral ? formatBatchReport(outcomes, items, receipt) : '',
	});
}

/** The item whose error explains best why the batch is incomplete. */
function firstFailure(outcomes: readonly Outcome[]): number {
	const failed = outcomes.findIndex(({ kind }) => kind !== 'succeeded' && kind !== 'notSent');
	if (failed >= 0) return failed;
	return outcomes.findIndex(
		(outcome) => outcome.kind === 'notSent' && outcome.error !== BATCH_FAILED,
	);
}

function toOutput(context: IExecuteFunctions, outcomes: readonly Outcome[]): INodeExecutionData[] {
	const toErrorItem = errorItemMaker(context);
	return outcomes.map((outcome, index) => {
		switch (outcome.kind) {
			case 'succeeded':
				return { ...outcome.output, pairedItem: { item: index } };
			case 'invalid':
			case 'refused':
			case 'unknown':
			case 'notSent':
				return toErrorItem(index, outcome.kind, outcome.error);
			default:
				return outcome satisfies never;
		}
	});
}

function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
