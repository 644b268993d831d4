import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { findOperation } from '../actions';
import type { Operation } from '../actions/operation';
import type { ItemOutcome } from '../errors/ItemOutcome';
import { messageWithAdvice, toNodeError } from '../errors/toNodeError';
import { KeptOutcomes } from '../memory/KeptOutcomes';
import { ApiClient } from '../transport/ApiClient';
import { readCredentials } from '../transport/credentials';
import { isTool } from '../utils/isTool';
import type { Batch } from './batch';
import { throwIfFailed, throwIfUnsendable } from './batchReport';
import { readOptions, type Options } from './options';
import { addHint, addHints } from './hints';
import { toOutputs } from './outputs';
import { prepareItems } from './prepareItems';
import { STOPPED } from './inParallel';
import { SendAllRun } from './SendAllRun';
import { SendOnceRun } from './SendOnceRun';

/**
 * Runs one operation over all input items:
 *
 *     prepare   reads and checks every item
 *     look up   what is known of each item without sending it; claims a short list
 *     check     throws if an item may not be sent: then nothing is
 *     send      one request for each item that is left, several at once; what became of them is recorded on the way
 *     close     records the rest, and gives back what was claimed and not sent
 *     report    throws if an item failed, with what became of all
 *     output    each item's outcome at its output, in input order
 *
 * If the node is set to continue, nothing is thrown, and items that failed become error items.
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	// An agent's model must be told why a tool failed. Some versions of n8n's agent drop an error.
	const continueOnFail = this.continueOnFail() || isTool(this.getNode());
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
		batch = { context: this, operation, options, continueOnFail, stop, items, client };
		const run = operation.application ? new SendOnceRun(batch, kept) : new SendAllRun(batch);
		try {
			const known = await run.lookUpOrClaim();
			if (!continueOnFail) throwIfUnsendable(batch, known);
			outcomes = await run.send();
		} finally {
			await run.close();
		}
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
	return toOutputs(this, outcomes, { operation, options, ...batch });
}

/** Returns the batch's `stop`, which canceling the execution aborts. */
function stopOnCancel(cancelSignal: AbortSignal | undefined): AbortController {
	const stop = new AbortController();
	if (cancelSignal?.aborted) stop.abort(STOPPED);
	cancelSignal?.addEventListener('abort', () => stop.abort(STOPPED), { once: true });
	return stop;
}
