import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { ItemOutput } from '../actions/operation';

/** By the first item of a node's input, which is the same object in each try, and by node. */
const outputsOfTries = new WeakMap<INodeExecutionData, Map<string, Map<string, ItemOutput>>>();

/**
 * What the tries of a node with Retry On Fail have sent so far, by application. n8n throws the output of a
 * failed try away, and the next one must not send it again: it gives that output out instead.
 */
export class Tries {
	private readonly given = new Set<string>();

	private constructor(
		/** Whether n8n runs the node again after a failure. */
		readonly areSeveral: boolean,
		private readonly outputs: Map<string, ItemOutput>,
		/** No further try follows. */
		readonly end: () => void,
	) {}

	static of(context: Pick<IExecuteFunctions, 'getNode' | 'getInputData'>): Tries {
		const { id, retryOnFail = false } = context.getNode();
		const [first] = context.getInputData();
		if (!retryOnFail || !first) return new Tries(retryOnFail, new Map(), () => {});
		const byNode = outputsOfTries.get(first) ?? new Map<string, Map<string, ItemOutput>>();
		outputsOfTries.set(first, byNode);
		const outputs = byNode.get(id) ?? new Map<string, ItemOutput>();
		byNode.set(id, outputs);
		return new Tries(retryOnFail, outputs, () => byNode.delete(id));
	}

	/** Whether a try has sent the application. */
	has(key: string): boolean {
		return this.outputs.has(key);
	}

	/** This try has sent the application. */
	add(key: string, output: ItemOutput): void {
		this.given.add(key);
		this.outputs.set(key, output);
	}

	/** The output of an earlier try, once: the same application twice in a list is one item. */
	take(key: string): ItemOutput | undefined {
		if (this.given.has(key)) return undefined;
		this.given.add(key);
		return this.outputs.get(key);
	}
}
