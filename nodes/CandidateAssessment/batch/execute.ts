import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { findOperation } from '../actions';
import type { Operation, WantedFile } from '../actions/operation';
import { call } from '../transport/withRetries';
import { downloadPdf } from '../transport/download';
import { ServiceFailure } from '../errors/messages';
import { openLine, type Line } from '../transport/ApiClient';
import { account, itemNumber } from './batchReport';
import { checkItems, type CheckedItem } from './prepareItems';
import { nodeError } from '../errors/toNodeError';
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
		const problem = nodeError(context, error as Error);
		if (!context.continueOnFail()) throw problem;
		return context.getInputData().map((_item, index) => errorItem(problem, index));
	}
}

async function run(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const operation = findOperation(
		context.getNodeParameter('resource', 0) as string,
		context.getNodeParameter('operation', 0) as string,
	);
	const items = await checkItems(context, operation);
	const keepGoing = context.continueOnFail();
	if (!keepGoing) refuseIfAnyIsWrong(context, items);
	refuseToInviteTwice(context, items);

	const options = sendOptions(context);
	const stop = stoppedWith(context.getExecutionCancelSignal());
	const line = await openLine(context, options, stop.signal);
	const outcomes = await runBatch(items, (item) => attempt(context, item, line, operation), {
		concurrency: options.concurrency,
		keepGoing,
		stop,
	});
	failUnlessComplete(context, operation, items, outcomes, keepGoing);
	return outcomes.map((outcome, index) => {
		if (outcome.kind === 'done') {
			const { json, binary } = outcome;
			return { json, ...(binary && { binary }), pairedItem: { item: index } };
		}
		return errorItem(outcome.kind === 'failed' ? outcome.problem : new Error('Never sent'), index);
	});
}

function refuseIfAnyIsWrong(context: IExecuteFunctions, items: CheckedItem[]): void {
	const problems = items.flatMap((item, index) =>
		item.kind === 'wrong' ? [{ index, problem: item.problem }] : [],
	);
	if (problems.length === 0) return;
	const [first, ...others] = problems;
	const lines = others.map(({ index, problem }) => `${itemPrefix(items, index)}${problem.message}`);
	throw nodeError(context, first.problem, {
		itemIndex: first.index,
		prefix: itemPrefix(items, first.index),
		account: ['Nothing was sent.', ...lines].join('\n'),
	});
}

/** n8n's own retry runs the whole batch again, those included who were invited the first time. */
function refuseToInviteTwice(context: IExecuteFunctions, items: CheckedItem[]): void {
	const invites = items.some((item) => item.kind === 'ready' && item.request.method === 'POST');
	if (!invites || !context.getNode().retryOnFail) return;
	throw nodeError(
		context,
		new Error('"Retry On Fail" is on, which could invite candidates twice'),
		{
			account:
				"Nothing was sent. Turn it off in the node's settings: the node itself tries again wherever that is safe (see Max Retries in its options).",
		},
	);
}

/** A controller that stops with the execution, and can be stopped on its own. */
function stoppedWith(execution?: AbortSignal): AbortController {
	const stop = new AbortController();
	if (execution?.aborted) stop.abort();
	execution?.addEventListener('abort', () => stop.abort(), { once: true });
	return stop;
}

async function attempt(
	context: IExecuteFunctions,
	item: CheckedItem,
	line: Line,
	operation: Operation,
): Promise<Outcome> {
	if (item.kind === 'wrong') return { kind: 'failed', problem: item.problem };
	try {
		const data = await call(line, item.request, operation.inPlainWords);
		const json = item.output?.(data) ?? data;
		const binary = item.file && (await withFile(context, line, item.file, data));
		return { kind: 'done', json, binary };
	} catch (problem) {
		const wasStopped = line.stop.aborted && !(problem instanceof ServiceFailure);
		return wasStopped ? { kind: 'notSent' } : { kind: 'failed', problem: problem as Error };
	}
}

async function withFile(
	context: IExecuteFunctions,
	line: Line,
	{ field, link, name }: WantedFile,
	data: IDataObject,
): Promise<IBinaryKeyData> {
	const pdf = await downloadPdf(line, link(data));
	return { [field]: await context.helpers.prepareBinaryData(pdf, name(data), 'application/pdf') };
}

function failUnlessComplete(
	context: IExecuteFunctions,
	operation: Operation,
	items: CheckedItem[],
	outcomes: Outcome[],
	keepGoing: boolean,
): void {
	const isComplete = outcomes.every(
		({ kind }) => kind === 'done' || (keepGoing && kind === 'failed'),
	);
	if (isComplete) return;
	const references = items.map((item) =>
		item.kind === 'ready' ? operation.reference?.(item.request) : undefined,
	);
	const index = outcomes.findIndex(({ kind }) => kind === 'failed');
	const failed = outcomes[index];
	throw nodeError(
		context,
		failed?.kind === 'failed' ? failed.problem : new Error('The execution was cancelled'),
		{
			itemIndex: Math.max(index, 0),
			prefix: index < 0 ? '' : itemPrefix(items, index),
			account: items.length > 1 ? account(outcomes, references) : '',
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
