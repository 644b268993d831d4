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
 * What one run of a node has sent. n8n discards its output if the node fails, its execution is stopped, or n8n tries
 * again (Retry On Fail), but what was sent isn't sent again. So this process keeps it until a run of the node puts
 * it out, as if that run had sent it. A run that takes it over has it alone, and puts it back if it fails, too.
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

	/** What an earlier run or try has sent, if no run has put it out. */
	take(key: string): ItemOutcome | undefined {
		const entry = kept.get(this.idOf(key));
		if (!entry) return undefined;
		kept.delete(this.idOf(key));
		if (entry.onlyFor && entry.onlyFor.deref() !== this.run) return undefined;
		this.mine.set(key, entry.outcome);
		return entry.outcome;
	}

	/** This run has sent it. */
	add(key: string, outcome: ItemOutcome): void {
		kept.delete(this.idOf(key));
		this.mine.set(key, outcome);
	}

	/** n8n discards this run's output. */
	keep(): void {
		for (const [key, outcome] of this.mine) {
			if (outcome.kind === 'succeeded') this.set(key, { outcome });
			// Another run looks up what is in doubt, and may be told to send it again.
			else if (this.mayBeTriedAgain) this.set(key, { outcome, onlyFor: new WeakRef(this.run) });
		}
	}

	/** n8n puts this run's output out, unless it tries again. */
	keepForNextTry(): void {
		if (!this.mayBeTriedAgain) return;
		for (const [key, outcome] of this.mine) {
			this.set(key, { outcome, onlyFor: new WeakRef(this.run) });
		}
	}

	private set(key: string, entry: Kept): void {
		kept.set(this.idOf(key), entry);
		const [oldest] = kept.keys();
		if (kept.size > MAX_KEPT) kept.delete(oldest);
	}

	private idOf(key: string): string {
		return `${this.nodeId} ${key}`;
	}
}
