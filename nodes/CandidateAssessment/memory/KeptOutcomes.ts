import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome } from '../actions/operation';

/** Beyond this number, the oldest are forgotten. */
const MAX_KEPT = 2_000;

type Outcomes = Map<string, ItemOutcome>;

/** For any run of a node that comes, by node and application. */
const forLaterRuns: Outcomes = new Map();

/** For the tries of one run, by application. n8n has the same object in each of them. */
const forTries = new WeakMap<IExecuteData, Outcomes>();

/**
 * What one run of a node has sent. n8n may discard its output, but what was sent isn't sent again. So this process
 * keeps it, and a later run or try puts it out as if it had sent it:
 *
 *   n8n discards the output since                succeeded is kept for   unknown is kept for
 *   the node failed, or was stopped              any run of the node     the tries of this run
 *   it begins with an error (Retry On Fail)      the tries of this run   the tries of this run
 *
 * A run that takes something over has it alone. If its own output is discarded, it keeps it again.
 */
export class KeptOutcomes {
	/** Sent or taken over by this run. */
	private readonly mine: Outcomes;
	private readonly nodeId: string;
	private readonly run: IExecuteData;

	constructor(context: Pick<IExecuteFunctions, 'getWorkflow' | 'getNode' | 'getExecuteData'>) {
		this.nodeId = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
		this.run = context.getExecuteData();
		this.mine = forTries.get(this.run) ?? new Map();
		forTries.delete(this.run);
	}

	/** What was sent by an earlier run or try whose output was discarded. */
	take(key: string): ItemOutcome | undefined {
		const outcome = forLaterRuns.get(this.idOf(key));
		if (outcome) this.add(key, outcome);
		return this.mine.get(key);
	}

	/** This run has sent it. A newer link replaces one that nobody has seen. */
	add(key: string, outcome: ItemOutcome): void {
		if (outcome.kind === 'succeeded') forLaterRuns.delete(this.idOf(key));
		this.mine.set(key, outcome);
	}

	/** The node fails, or was stopped. */
	keepForLaterRuns(): void {
		const succeeded = [...this.mine].filter(([, { kind }]) => kind === 'succeeded');
		for (const [key, outcome] of succeeded.slice(-MAX_KEPT)) {
			forLaterRuns.set(this.idOf(key), outcome);
			this.mine.delete(key);
			const [oldest] = forLaterRuns.keys();
			if (forLaterRuns.size > MAX_KEPT) forLaterRuns.delete(oldest);
		}
		// What is unknown, a later run looks up, and may be told to send again.
		this.keepForNextTry();
	}

	/** The output begins with an error. n8n puts it out, unless it tries again. */
	keepForNextTry(): void {
		forTries.set(this.run, this.mine);
	}

	private idOf(key: string): string {
		return `${this.nodeId} ${key}`;
	}
}
