import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome } from '../actions/operation';
import { MAX_APPLICATIONS, nodeIdOf } from './nodeRecord';

/** Beyond this number, the oldest that were output are forgotten. */
const MAX_KEPT = 2_000;

/** An answer far larger than an invitation isn't kept. In characters, as JSON. */
const MAX_LENGTH = 10_000;

/** One run of a node, with all its tries. */
interface Run {
	/** n8n has its output. */
	isOver: boolean;
	/** What its tries can't know from a record, if there is none. */
	unknown: Map<string, Kept>;
}

interface Kept {
	/** One that is unknown is for the tries of its run alone: with a record, a later run looks it up. */
	outcome: ItemOutcome;
	/** Milliseconds since 1970, or NaN. */
	expiresAt: number;
	/** Whose it is. Without one, it's the next run's that asks. */
	run?: Run;
	/** The node's record says in doubt: it couldn't be written. */
	isUnrecorded?: boolean;
}

/** What was sent last, by node, account, and application. */
const kept = new Map<string, Kept>();

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
		this.run = (isTry && runs.get(data)) || { isOver: false, unknown: new Map() };
		runs.set(data, this.run);
		// A later try has no output yet.
		this.run.isOver = false;
	}

	/**
	 * What was sent by an earlier run or try whose output was discarded, unless it has expired.
	 * @param account a link of another must never come out
	 */
	take(account: string, key: string): Kept | undefined {
		const id = this.idOf(account, key);
		const unknown = this.run.unknown.get(id);
		if (unknown) return unknown;
		const found = kept.get(id);
		if (!found || found.expiresAt <= Date.now()) return undefined;
		found.run ??= this.run;
		return found.run === this.run ? found : undefined;
	}

	/** This run has sent it. A newer link replaces an older one. */
	add(account: string, key: string, outcome: ItemOutcome): void {
		const id = this.idOf(account, key);
		if (outcome.kind === 'unknown') this.run.unknown.set(id, { outcome, expiresAt: NaN });
		if (outcome.kind !== 'succeeded') return;
		const { json } = outcome.output;
		kept.delete(id);
		if (JSON.stringify(json).length > MAX_LENGTH) return;
		const expiresAt = Date.parse(String(json.invitation_expired_at));
		kept.set(id, { outcome, expiresAt, run: this.run });
		if (kept.size > MAX_KEPT) forgetOne();
	}

	/** Recording what this run has sent has failed. */
	setUnrecorded(): void {
		for (const mine of this.mine()) mine.isUnrecorded = true;
	}

	/** The node fails, or was stopped: n8n discards its output. */
	keepForLaterRuns(): void {
		for (const mine of this.mine()) mine.run = undefined;
	}

	/**
	 * n8n has the output, and passes it on, unless it tries again. If the execution is stopped before its end, n8n
	 * discards it all the same.
	 */
	end(execution: AbortSignal | undefined): void {
		this.run.isOver = true;
		if (execution?.aborted) this.keepForLaterRuns();
		execution?.addEventListener('abort', () => this.keepForLaterRuns(), { once: true });
	}

	private idOf(account: string, key: string): string {
		return `${this.nodeId} ${account} ${key}`;
	}

	private mine(): Kept[] {
		return [...kept.values()].filter(({ run }) => run === this.run);
	}
}

/** The oldest of what was output, or else of all, once they are more than any list has. */
function forgetOne(): void {
	const [first] = kept.keys();
	let oldest = kept.size > MAX_APPLICATIONS ? first : undefined;
	for (const [id, { run }] of kept) {
		if (!run?.isOver) continue;
		oldest = id;
		break;
	}
	if (oldest !== undefined) kept.delete(oldest);
}
