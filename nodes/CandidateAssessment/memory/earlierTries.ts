import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { ItemOutcome } from '../actions/ItemOutcome';

/**
 * The outcomes of earlier tries of a node with Retry On Fail, by application. n8n throws the output of a
 * failed try away, and the next one must not send anything twice: it gives that outcome again.
 */
export type EarlierTries = Map<string, ItemOutcome>;

/** By the first item of a node's input, which is the same object in each try. */
const latest = new WeakMap<INodeExecutionData, { nodeId: string; tries: EarlierTries }>();

/** Empty in the first try. Undefined where n8n does not run the node again after a failure. */
export function earlierTries(
	context: Pick<IExecuteFunctions, 'getNode' | 'getInputData'>,
): EarlierTries | undefined {
	const { id: nodeId, retryOnFail } = context.getNode();
	const [first] = context.getInputData();
	if (!retryOnFail || !first) return undefined;
	const before = latest.get(first);
	if (before?.nodeId === nodeId) return before.tries;
	const tries: EarlierTries = new Map();
	latest.set(first, { nodeId, tries });
	return tries;
}
