import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { ItemOutcome } from '../actions/ItemOutcome';

/** By the first item of a node's input, which is the same object in each try. */
const latest = new WeakMap<INodeExecutionData, RetryOnFailOutputs>();

/**
 * What the tries of a node with Retry On Fail have sent so far, by application. n8n throws the output of a
 * failed try away, and the next one must not send anything twice: it gives that outcome again.
 */
export class RetryOnFailOutputs {
	private readonly outcomes = new Map<string, ItemOutcome>();

	private constructor(
		private readonly nodeId: string,
		/** Whether n8n runs the node again after a failure. */
		readonly isEnabled: boolean,
	) {}

	static forNode(context: Pick<IExecuteFunctions, 'getNode' | 'getInputData'>): RetryOnFailOutputs {
		const { id, retryOnFail = false } = context.getNode();
		const [first] = context.getInputData();
		const before = first && latest.get(first);
		if (before?.nodeId === id) return before;
		const outputs = new RetryOnFailOutputs(id, retryOnFail);
		if (first && retryOnFail) latest.set(first, outputs);
		return outputs;
	}

	/** Keeps what went out, or may have; anything else is sent in the next try. */
	keep(key: string, outcome: ItemOutcome): void {
		if (outcome.kind !== 'succeeded' && outcome.kind !== 'unknown') return;
		this.outcomes.set(key, { ...outcome, fromEarlierExecution: true });
	}

	takeOutput(key: string): ItemOutcome | undefined {
		return this.outcomes.get(key);
	}

	/** No further try follows. */
	clear(): void {
		this.outcomes.clear();
	}
}
