import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { findOperation } from '../actions';
import type { Operation } from '../actions/operation';
import { ItemError } from '../errors/ItemError';
import { toErrorItem } from '../errors/toErrorItem';
import { isTool, messageWithAdvice, toNodeError } from '../errors/toNodeError';
import { createApiClient, type ApiClient, type SendOptions } from '../transport/ApiClient';
import { NOTHING_SENT, throwIfIncomplete, throwIfInvalid } from './batchErrors';
import { NodeMemoryStore } from '../memory/memoryStore';
import { readSendOptions } from './options';
import { prepareItems, type PreparedItem } from './prepareItems';
import { isFailure, runBatch, STOPPED, type Outcome } from './runBatch';
import { SendOnce } from '../memory/sendOnce';
import { Tries } from '../memory/tries';

/**
 * Runs one operation over all input items: checks every item, then sends several at once, and gives
 * one output item for each input item that was sent, in the input's order. Throws `NodeOperationError`
 * before anything is sent, and an error with a report of the batch afterwards. If the node is set to
 * continue, items that failed become error items instead.
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const continueOnFail = context.continueOnFail();
	const stop = linkAbort(context.getExecutionCancelSignal());
	try {
		const operation = findOperation(
			context.getNodeParameter('resource', 0) as string,
			context.getNodeParameter('operation', 0) as string,
		);
		const options = readSendOptions(context);
		const tries = Tries.of(context);
		const prepared = await prepareItems(context, operation, stop.signal);
		const once = await SendOnce.open(new NodeMemoryStore(context), prepared, {
			concurrency: options.concurrency,
			tries,
		});
		if (!continueOnFail) throwIfInvalid(context, once.items);
		const outcomes = await sendItems(context, operation, once, options, stop);
		if (!continueOnFail) throwIfIncomplete(context, operation, once.items, outcomes);
		if (!outcomes.some(isFailure)) tries.end();
		return toOutput(context, outcomes);
	} catch (error) {
		const nodeError = toNodeError(context, error as Error);
		if (!continueOnFail) throw nodeError;
		const items = context.getInputData();
		return items.map((_item, index) => toErrorItem(context, index, 'notSent', nodeError));
	}
}

async function sendItems(
	context: IExecuteFunctions,
	operation: Operation,
	once: SendOnce,
	options: SendOptions,
	stop: AbortController,
): Promise<Outcome[]> {
	const client = await createApiClient(context, options, stop);
	const outcomes = await runBatch(
		once.items,
		async (item, index) =>
			await once.send(index, async () => await sendItem(client, operation, item)),
		{ concurrency: options.concurrency, continueOnFail: context.continueOnFail(), stop },
		(item) => (item.kind === 'ready' ? operation.sequenceKey?.(item.request) : undefined),
	);
	for (const message of await once.close()) {
		context.addExecutionHints({ message, location: 'outputPane' });
	}
	return outcomes;
}

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
		const kind = error instanceof ItemError ? error.outcome : 'unknown';
		return { kind, error: error as Error };
	}
}

function toOutput(context: IExecuteFunctions, outcomes: readonly Outcome[]): INodeExecutionData[] {
	return outcomes.flatMap((outcome, index) => {
		switch (outcome.kind) {
			case 'succeeded':
				return { ...outcome.output, pairedItem: { item: index } };
			case 'invalid':
			case 'refused':
			case 'unknown':
			case 'notSent':
				return toErrorItem(context, index, outcome.kind, outcome.error);
			case 'leftOut':
				// Nothing after the node is to happen twice; a model waits for an answer.
				return isTool(context.getNode()) ? toAnswer(outcome.reason, index) : [];
			default:
				return outcome satisfies never;
		}
	});
}

function toAnswer(reason: string, index: number): INodeExecutionData {
	const message = messageWithAdvice({ message: reason, description: NOTHING_SENT });
	return { json: { message }, pairedItem: { item: index } };
}
