import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { findOperation } from '../actions';
import type { Operation, BinaryDownload } from '../actions/operation';
import { request } from '../transport/withRetries';
import { downloadPdf } from '../transport/download';
import { ApiError } from '../errors/messages';
import { createApiClient, type ApiClient } from '../transport/ApiClient';
import { formatBatchReport, itemNumber } from './batchReport';
import { prepareItems, type PreparedItem } from './prepareItems';
import { toNodeError } from '../errors/toNodeError';
import { sendOptions } from './options';
import { runBatch, type Outcome } from './runBatch';

/**
 * Runs one operation over all input items: checks every item, then sends so many at once, and
 * gives one output item for each input item, in the input's order.
 * Throws `NodeOperationError` before anything is sent, and an error with an account of the batch
 * afterwards.
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	try {
		return await run(context);
	} catch (error) {
		const problem = toNodeError(context, error as Error);
		if (!context.continueOnFail()) throw problem;
		return context.getInputData().map((_item, index) => errorItem(problem, index));
	}
}

async function run(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const operation = findOperation(
		context.getNodeParameter('resource', 0) as string,
		context.getNodeParameter('operation', 0) as string,
	);
	const items = await prepareItems(context, operation);
	const continueOnFail = context.continueOnFail();
	if (!continueOnFail) throwIfInvalid(context, items);
	refuseToInviteTwice(context, items);

	const options = sendOptions(context);
	const stop = linkAbort(context.getExecutionCancelSignal());
	const client = await createApiClient(context, options, stop.signal);
	const outcomes = await runBatch(items, (item) => runItem(context, item, client, operation), {
		concurrency: options.concurrency,
		continueOnFail,
		stop,
	});
	throwIfIncomplete(context, operation, items, outcomes, continueOnFail);
	return outcomes.map((outcome, index) => {
		if (outcome.kind === 'success') {
			const { json, binary } = outcome;
			return { json, ...(binary && { binary }), pairedItem: { item: index } };
		}
		return errorItem(outcome.kind === 'failed' ? outcome.error : new Error('Never sent'), index);
	});
}

function throwIfInvalid(context: IExecuteFunctions, items: PreparedItem[]): void {
	const problems = items.flatMap((item, index) =>
		item.kind === 'invalid' ? [{ index, problem: item.error }] : [],
	);
	if (problems.length === 0) return;
	const [first, ...others] = problems;
	const lines = others.map(({ index, problem }) => `${itemPrefix(items, index)}${problem.message}`);
	throw toNodeError(context, first.problem, {
		itemIndex: first.index,
		prefix: itemPrefix(items, first.index),
		details: ['Nothing was sent.', ...lines].join('\n'),
	});
}

/** n8n's own retry runs the whole batch again, those included who were invited the first time. */
function refuseToInviteTwice(context: IExecuteFunctions, items: PreparedItem[]): void {
	const invites = items.some((item) => item.kind === 'ready' && item.request.method === 'POST');
	if (!invites || !context.getNode().retryOnFail) return;
	throw toNodeError(
		context,
		new Error('"Retry On Fail" is on, which could invite candidates twice'),
		{
			details:
				"Nothing was sent. Turn it off in the node's settings: the node itself tries again wherever that is safe (see Max Retries in its options).",
		},
	);
}

/** A controller that stops with the execution, and can be stopped on its own. */
function linkAbort(execution?: AbortSignal): AbortController {
	const stop = new AbortController();
	if (execution?.aborted) stop.abort();
	execution?.addEventListener('abort', () => stop.abort(), { once: true });
	return stop;
}

async function runItem(
	context: IExecuteFunctions,
	item: PreparedItem,
	client: ApiClient,
	operation: Operation,
): Promise<Outcome> {
	if (item.kind === 'invalid') return { kind: 'failed', error: item.error };
	try {
		const data = await request(client, item.request, operation.statusMessages);
		const json = item.output?.(data) ?? data;
		const binary = item.download && (await withFile(context, client, item.download, data));
		return { kind: 'success', json, binary };
	} catch (problem) {
		const wasStopped = client.signal.aborted && !(problem instanceof ApiError);
		return wasStopped ? { kind: 'notSent' } : { kind: 'failed', error: problem as Error };
	}
}

async function withFile(
	context: IExecuteFunctions,
	client: ApiClient,
	{ field, link, name }: BinaryDownload,
	data: IDataObject,
): Promise<IBinaryKeyData> {
	const pdf = await downloadPdf(client, link(data));
	return { [field]: await context.helpers.prepareBinaryData(pdf, name(data), 'application/pdf') };
}

function throwIfIncomplete(
	context: IExecuteFunctions,
	operation: Operation,
	items: PreparedItem[],
	outcomes: Outcome[],
	continueOnFail: boolean,
): void {
	const isComplete = outcomes.every(
		({ kind }) => kind === 'success' || (continueOnFail && kind === 'failed'),
	);
	if (isComplete) return;
	const references = items.map((item) =>
		item.kind === 'ready' ? operation.reference?.(item.request) : undefined,
	);
	const index = outcomes.findIndex(({ kind }) => kind === 'failed');
	const failed = outcomes[index];
	throw toNodeError(
		context,
		failed?.kind === 'failed' ? failed.error : new Error('The execution was cancelled'),
		{
			itemIndex: Math.max(index, 0),
			prefix: index < 0 ? '' : itemPrefix(items, index),
			details: items.length > 1 ? formatBatchReport(outcomes, references) : '',
		},
	);
}

/** In the one shape that every version of n8n takes for an error item, and sends to the error output. */
function errorItem(
	{ message, description }: Error & { description?: string | null },
	index: number,
): INodeExecutionData {
	const error = [message, description].filter(Boolean).join('. ');
	return { json: { error }, pairedItem: { item: index } };
}

/** Names the item where there are several. */
function itemPrefix(items: readonly unknown[], index: number): string {
	return items.length > 1 ? `Item ${itemNumber(index)}: ` : '';
}
