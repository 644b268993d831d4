import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome } from '../actions/operation';

/** Beyond this number, the oldest are forgotten. */
const MAX_KEPT = 2_000;

interface Kept {
	outcome: ItemOutcome;
	/** Left out if any run of the node may put it out. */
	onlyFor?: WeakRef<IExecuteData>;
}

/** By node and application. */
const kept = new Map<string, Kept>();

/**
 * What one run of a node has sent. n8n may discard its output, but what was sent isn't sent again. So this process
 * keeps it, and a later run or try puts it out as if it had sent it:
 *
 *   n8n discards the output since                succeeded is kept for   unknown is kept for
 *   the node failed, or was stopped              any run of the node     the tries of this run
 *   it begins with an error (Retry On Fail)      the tries of this run   the tries of this run
 *
 * A run that takes something over has it alone. If its own output is discarded, it puts it back.
 */
export class KeptOutcomes {
	/** By application. */
	private readonly mine = new Map<string, ItemOutcome>();
	private readonly nodeId: string;
	private readonly mayBeTriedAgain: boolean;
	/** The same object in each try. */
	private readonly run: IExecuteData;

	constructor(context: Pick<IExecuteFunctions, 'getWorkflow' | 'getNode' | 'getExecuteData'>) {
		const { id, retryOnFail } = context.getNode();
		this.nodeId = JSON.stringify([context.getWorkflow().id, id]);
		this.mayBeTriedAgain = retryOnFail === true;
		this.run = context.getExecuteData();
	}

	/** What was sent by an earlier run or try whose output was discarded. */
	take(key: string): ItemOutcome | undefined {
		const entry = kept.get(this.idOf(key));
		if (!entry || !this.isMeantForThisRun(entry)) return undefined;
		kept.delete(this.idOf(key));
		this.mine.set(key, entry.outcome);
		return entry.outcome;
	}

	/** This run has sent it. */
	add(key: string, outcome: ItemOutcome): void {
		kept.delete(this.idOf(key));
		this.mine.set(key, outcome);
	}

	/** The node fails, or was stopped. */
	keepForLaterRuns(): void {
		for (const [key, outcome] of this.mine) {
			// What is unknown, a later run looks up, and may be told to send again.
			if (outcome.kind === 'succeeded') this.keep(key, { outcome });
			else this.keepForTries(key, outcome);
		}
	}

	/** The output begins with an error. n8n puts it out, unless it tries again. */
	keepForNextTry(): void {
		for (const [key, outcome] of this.mine) this.keepForTries(key, outcome);
	}

	private keepForTries(key: string, outcome: ItemOutcome): void {
		if (this.mayBeTriedAgain) this.keep(key, { outcome, onlyFor: new WeakRef(this.run) });
	}

	private keep(key: string, entry: Kept): void {
		kept.set(this.idOf(key), entry);
		const [oldest] = kept.keys();
		if (kept.size > MAX_KEPT) kept.delete(oldest);
	}

	private isMeantForThisRun({ onlyFor }: Kept): boolean {
		return !onlyFor || onlyFor.deref() === this.run;
	}

	private idOf(key: string): string {
		return `${this.nodeId} ${key}`;
	}
}
