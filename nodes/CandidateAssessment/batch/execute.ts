import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { findOperation } from '../actions';
import type { ItemOutcome, Operation } from '../actions/operation';
import { certaintyOf } from '../errors/ItemError';
import { toNodeError } from '../errors/toNodeError';
import { KeptOutcomes } from '../memory/KeptOutcomes';
import { ApiClient } from '../transport/ApiClient';
import { CREDENTIAL_TYPE, readCredentials, type ApiCredentials } from '../transport/credentials';
import { isTool } from '../utils/isTool';
import { throwIfFailed, throwIfUnsendable } from './batchReport';
import { readOptions } from './options';
import { addHint, toOutputs } from './outputs';
import { prepareItems, requestOf, type PreparedItem } from './prepareItems';
import { sendAll, STOPPED, type ListOptions } from './runBatch';
import { sendOnce } from './sendOnce';

/**
 * Runs one operation over all input items: checks every item, then sends several at once, and returns
 * one output item for each input item, in input order. Throws before anything is sent if an item has a mistake, and
 * an error with a report of the batch afterwards. If the node is set to continue, such items become error items
 * instead.
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	// An agent's model must hear why a tool failed. From an error, some versions of n8n's agent pass on nothing.
	const continueOnFail = context.continueOnFail() || isTool(context.getNode());
	// Aborted when the execution is canceled, or when the batch gives up.
	const stop = new AbortController();
	const execution = context.getExecutionCancelSignal();
	if (execution?.aborted) stop.abort(STOPPED);
	execution?.addEventListener('abort', () => stop.abort(STOPPED), { once: true });
	let includeOtherFields = false;
	let items: PreparedItem[] = [];
	let outcomes: ItemOutcome[];
	const warnings = new Set<string>();
	const kept = new KeptOutcomes(context);
	try {
		const operation = findOperation(
			context.getNodeParameter('resource', 0) as string,
			context.getNodeParameter('operation', 0, '') as string,
		);
		const options = readOptions(context, operation);
		({ includeOtherFields } = options);
		items = await prepareItems(context, operation, stop.signal);
		const hint = operation.listHint?.(items.flatMap((item) => requestOf(item) ?? []));
		if (hint) addHint(context, hint);
		const credentials = await readCredentials(context);
		const client = new ApiClient(context, credentials, options, stop);
		const batch: ListOptions = {
			...options,
			continueOnFail,
			stop,
			check: (settled) => {
				if (!continueOnFail) throwIfUnsendable({ context, operation, items }, settled);
			},
			send: async (index) => await sendItem(client, operation, items[index]),
		};
		outcomes = operation.application
			? await sendOnce(context, items, {
					...batch,
					checkOnly: options.checkOnly,
					kept,
					account: accountOf(context, credentials),
					warn: (warning) => warnings.add(warning),
					hint: (hint) => addHint(context, hint),
				})
			: await sendAll(items, batch);
		if (!continueOnFail) throwIfFailed({ context, operation, items }, outcomes, warnings);
	} catch (error) {
		kept.wasDiscarded();
		const nodeError = toNodeError(context, error as Error);
		if (!continueOnFail) throw nodeError;
		outcomes = context.getInputData().map(() => ({ kind: 'notSent', error: nodeError }));
	}
	for (const warning of warnings) addHint(context, warning);
	kept.wasOutput(execution);
	return toOutputs(context, outcomes, items, includeOtherFields);
}

/** Who sends, and where: the same person may have another link in a test account. */
function accountOf(context: IExecuteFunctions, { baseUrl }: ApiCredentials): string {
	return JSON.stringify([baseUrl, context.getNode().credentials?.[CREDENTIAL_TYPE]?.id]);
}

async function sendItem(
	client: ApiClient,
	operation: Operation,
	item: PreparedItem,
): Promise<ItemOutcome> {
	if (item.kind === 'invalid') return item;
	try {
		const data = await client.request(item.request, operation);
		const output = (await item.output?.(data, client)) ?? { json: data };
		return { kind: 'succeeded', output };
	} catch (error) {
		return { kind: certaintyOf(error), error: error as Error };
	}
}
