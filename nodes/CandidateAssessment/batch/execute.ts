import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { findOperation } from '../actions';
import type { Operation } from '../actions/operation';
import { type ItemOutcome, STOPPED } from '../errors/ItemError';
import { messageWithAdvice, toNodeError } from '../errors/toNodeError';
import { KeptOutcomes } from '../memory/KeptOutcomes';
import { ApiClient } from '../transport/ApiClient';
import { readCredentials } from '../transport/credentials';
import { prepareItems, type Batch } from './batch';
import { throwIfFailed } from './batchReport';
import { readOptions, type Options } from './options';
import { addHint, addHints } from './hints';
import { toOutputs } from './outputs';
import { runBatch, SendAllRun } from './run';
import { SendOnceRun } from './SendOnceRun';

/**
 * Runs one operation over all input items:
 *
 *     prepare   reads and checks every item
 *     look up   what is known of each item without sending it; claims a short list
 *     check     throws if an item may not be sent: then nothing is
 *     send      one request for each item that is left, several at once; what became of them is recorded on the way
 *     close     records the rest, and undoes the claims of what wasn't sent
 *     report    throws if an item failed, with what became of all
 *     output    each item's outcome at its output, in input order
 *
 * If the node is set to continue, nothing is thrown, and items that failed become error items.
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	// n8n's `isToolExecution` is always false here.
	const isTool = this.getNode().type.endsWith('Tool');
	// An agent's model must be told why a tool failed. Some versions of n8n's agent drop an error.
	const continueOnFail = this.continueOnFail() || isTool;
	const cancelSignal = this.getExecutionCancelSignal();
	const kept = new KeptOutcomes(this, cancelSignal);
	let operation: Operation | undefined;
	let options: Options | undefined;
	let batch: Batch | undefined;
	let outcomes: ItemOutcome[];
	try {
		operation = findOperation(
			this.getNodeParameter('resource', 0) as string,
			this.getNodeParameter('operation', 0, '') as string,
		);
		options = readOptions(this, operation);
		const stop = stopOnCancel(cancelSignal);
		const items = await prepareItems(this, operation, stop.signal);
		const client = new ApiClient(this, await readCredentials(this), options, stop);
		batch = { context: this, operation, options, continueOnFail, isTool, stop, items, client };
		const run = operation.application ? new SendOnceRun(batch, kept) : new SendAllRun(batch);
		outcomes = await runBatch(batch, run);
		if (!continueOnFail) throwIfFailed(batch, outcomes, run.warnings);
		kept.onOutput();
		addHints(batch, run, outcomes);
	} catch (error) {
		kept.onDiscarded();
		const nodeError = toNodeError(this, error as Error);
		if (!continueOnFail) throw nodeError;
		// A check outputs no items that could show it.
		if (options?.checkOnly) addHint(this, messageWithAdvice(error as Error));
		outcomes = this.getInputData().map(() => ({ kind: 'notSent', error: nodeError }));
	}
	return toOutputs(this, outcomes, { operation, options, isTool, ...batch });
}

/** Returns the batch's `stop`, which canceling the execution aborts. */
function stopOnCancel(cancelSignal: AbortSignal | undefined): AbortController {
	const stop = new AbortController();
	if (cancelSignal?.aborted) stop.abort(STOPPED);
	cancelSignal?.addEventListener('abort', () => stop.abort(STOPPED), { once: true });
	return stop;
}
