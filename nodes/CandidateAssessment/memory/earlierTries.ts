import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome } from '../actions/ItemOutcome';

/**
 * The outcomes of earlier tries of a node with Retry On Fail, by application. n8n throws the output of a
 * failed try away, and the next one must not send anything twice: it gives that outcome again.
 */
export type EarlierTries = Map<string, ItemOutcome>;

/** By the run of a node, which has the same data in each try. */
const triesOfRuns = new WeakMap<IExecuteData, EarlierTries>();

/** Empty in the first try. Undefined where n8n does not run the node again after a failure. */
export function earlierTries(
	context: Pick<IExecuteFunctions, 'getNode' | 'getExecuteData'>,
): EarlierTries | undefined {
	if (!context.getNode().retryOnFail) return undefined;
	const run = context.getExecuteData();
	const tries = triesOfRuns.get(run) ?? new Map<string, ItemOutcome>();
	triesOfRuns.set(run, tries);
	return tries;
}
