import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome } from '../actions/operation';
import { MAX_APPLICATIONS, MAX_OUTPUT } from './limits';
import { nodeIdOf } from './nodeRecord';

/** An answer far larger than an invitation isn't kept. In characters, as JSON. */
const MAX_LENGTH = 10_000;

/** One run of a node, with all its tries. */
interface Run {
	/** By ID, what only its tries have to know: later runs look it up, if the node has a record. */
	unknown: Map<string, ItemOutcome>;
}

interface Kept {
	outcome: ItemOutcome;
	/** Milliseconds since 1970, or NaN. */
	expiresAt: number;
	/** The last one that had it. */
	run: Run;
	/** The node's record says in doubt: it couldn't be written. */
	isUnrecorded?: boolean;
}

/** What was sent, by node, account, and application: each is in one state. The oldest come first. */
const kept = {
	/** Of a run that goes on, and of nobody else. */
	sent: new Map<string, Kept>(),
	/** n8n has it as output. It may still discard it. */
	output: new Map<string, Kept>(),
	/** n8n has discarded it. It's for the next run that asks. */
	discarded: new Map<string, Kept>(),
};
type State = keyof typeof kept;

/** Of the runs before the last one. */
const LIMITS = { sent: Infinity, output: MAX_OUTPUT, discarded: MAX_APPLICATIONS };

/** n8n has the same object in all tries of a run. */
const runs = new WeakMap<IExecuteData, Run>();

/**
 * What one run of a node has sent. n8n discards its output if the node fails, or the execution is stopped before its
 * end. What was sent isn't sent again, so this process keeps it, and a later run or try with the same account outputs
 * it as if it had sent it.
 */
export class KeptOutcomes {
	private readonly nodeId: string;
	private readonly run: Run;

	constructor(context: Pick<IExecuteFunctions, 'getWorkflow' | 'getNode' | 'getExecuteData'>) {
		this.nodeId = nodeIdOf(context);
		const data = context.getExecuteData();
		const isTry = context.getNode().retryOnFail === true;
		this.run = (isTry && runs.get(data)) || { unknown: new Map() };
		runs.set(data, this.run);
		// n8n discards what the try before has output.
		this.move('output', 'sent');
	}

	/**
	 * What an earlier try has sent, or an earlier run whose output was discarded, unless it has expired.
	 * @param account a link of another must never come out
	 */
	take(account: string, key: string): Pick<Kept, 'outcome' | 'isUnrecorded'> | undefined {
		const id = this.idOf(account, key);
		const outcome = this.run.unknown.get(id);
		if (outcome) return { outcome };
		const found = kept.discarded.get(id) ?? kept.sent.get(id);
		if (!found || found.expiresAt <= Date.now()) return undefined;
		if (kept.discarded.delete(id)) kept.sent.set(id, Object.assign(found, { run: this.run }));
		return found.run === this.run ? found : undefined;
	}

	/** This run has sent it. A newer link replaces an older one. */
	add(account: string, key: string, outcome: ItemOutcome): void {
		const id = this.idOf(account, key);
		if (outcome.kind === 'unknown') this.run.unknown.set(id, outcome);
		if (outcome.kind !== 'succeeded') return;
		for (const entries of Object.values(kept)) entries.delete(id);
		const { json } = outcome.output;
		if (JSON.stringify(json).length > MAX_LENGTH) return;
		const expiresAt = Date.parse(String(json.invitation_expired_at));
		kept.sent.set(id, { outcome, expiresAt, run: this.run });
	}

	/** Recording what this run has sent has failed. */
	setUnrecorded(): void {
		for (const [, mine] of this.mine('sent')) mine.isUnrecorded = true;
	}

	/** The node fails, or was stopped. */
	wasDiscarded(): void {
		this.move('sent', 'discarded');
		this.move('output', 'discarded');
	}

	/**
	 * n8n has the output, and passes it on, unless it tries again. If the execution is stopped before its end, n8n
	 * discards it all the same.
	 */
	wasOutput(execution: AbortSignal | undefined): void {
		this.move('sent', 'output');
		if (execution?.aborted) this.wasDiscarded();
		execution?.addEventListener('abort', () => this.wasDiscarded(), { once: true });
	}

	private idOf(account: string, key: string): string {
		return `${this.nodeId} ${account} ${key}`;
	}

	private mine(state: State): Array<[string, Kept]> {
		return [...kept[state]].filter(([, { run }]) => run === this.run);
	}

	private move(from: State, to: State): void {
		// Of those that were there before: this run keeps all of its own.
		for (const id of kept[to].keys()) {
			if (kept[to].size <= LIMITS[to]) break;
			kept[to].delete(id);
		}
		for (const [id, mine] of this.mine(from)) {
			kept[from].delete(id);
			kept[to].set(id, mine);
		}
	}
}
