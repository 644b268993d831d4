import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome } from '../actions/operation';

/** By application. Keyed by the data of a node's run, the same object in each try. */
const outcomesOfRuns = new WeakMap<IExecuteData, Map<string, ItemOutcome>>();

/**
 * What earlier tries of a node with Retry On Fail have sent. n8n discards the output of a failed try, and the next
 * one must not send anything twice: it outputs those outcomes again. Undefined if n8n doesn't try again.
 */
export function outcomesOfEarlierTries(
	context: Pick<IExecuteFunctions, 'getNode' | 'getExecuteData'>,
): Map<string, ItemOutcome> | undefined {
	if (!context.getNode().retryOnFail) return undefined;
	const run = context.getExecuteData();
	const outcomes = outcomesOfRuns.get(run) ?? new Map<string, ItemOutcome>();
	outcomesOfRuns.set(run, outcomes);
	return outcomes;
}
