import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome } from '../actions/operation';
import { MAX_APPLICATIONS, MAX_OUTPUT } from './limits';
import { nodeIdOf } from './nodeRecord';

/** An answer far larger than an invitation isn't kept. In characters, as JSON. */
const MAX_LENGTH = 10_000;

/** One run of a node, with all its tries. */
interface NodeRun {
	/** By ID, what only its tries have to know: later runs look it up, if the node has a record. */
	unknown: Map<string, ItemOutcome>;
}

type State =
	/** Of a run that goes on, and of nobody else. */
	| 'sent'
	/** n8n has it as output. It may still discard it. */
	| 'output'
	/** n8n has discarded it. It's for the next run that asks. */
	| 'discarded';

/** Of the runs before the last one. */
const LIMITS = { sent: Infinity, output: MAX_OUTPUT, discarded: MAX_APPLICATIONS };

interface Kept {
	state: State;
	outcome: ItemOutcome;
	/** Milliseconds since 1970, or NaN. */
	expiresAt: number;
	/** The last one that had it. */
	run: NodeRun;
	/** The node's record says in doubt: it couldn't be written. */
	isUnrecorded?: boolean;
}

/** What was sent, by node, account, and application. What changed its state last comes last. */
const kept = new Map<string, Kept>();

/** n8n has the same object in all tries of a run. */
const runs = new WeakMap<IExecuteData, NodeRun>();

/**
 * What one run of a node has sent. n8n discards its output if the node fails, or the execution is stopped before its
 * end. What was sent isn't sent again, so this process keeps it, and a later run or try with the same account outputs
 * it as if it had sent it.
 */
export class KeptOutcomes {
	private readonly nodeId: string;
	private readonly run: NodeRun;

	constructor(context: Pick<IExecuteFunctions, 'getWorkflow' | 'getNode' | 'getExecuteData'>) {
		this.nodeId = nodeIdOf(context);
		const data = context.getExecuteData();
		const mayBeTry = context.getNode().retryOnFail === true;
		this.run = (mayBeTry && runs.get(data)) || { unknown: new Map() };
		runs.set(data, this.run);
		// What the tries before have sent is this one's again.
		this.move('output', 'sent');
		this.move('discarded', 'sent');
	}

	/**
	 * What an earlier try has sent, or an earlier run whose output was discarded, unless that has expired.
	 * @param account a link of another must never come out
	 */
	take(account: string, key: string): Pick<Kept, 'outcome' | 'isUnrecorded'> | undefined {
		const id = this.idOf(account, key);
		const outcome = this.run.unknown.get(id);
		if (outcome) return { outcome };
		const found = kept.get(id);
		if (found?.run === this.run) return found;
		if (found?.state !== 'discarded' || found.expiresAt <= Date.now()) return undefined;
		return Object.assign(found, { state: 'sent', run: this.run });
	}

	/** This run has sent it. A newer link replaces an older one. */
	add(account: string, key: string, outcome: ItemOutcome): void {
		const id = this.idOf(account, key);
		if (outcome.kind === 'unknown') this.run.unknown.set(id, outcome);
		if (outcome.kind !== 'succeeded') return;
		kept.delete(id);
		const { json } = outcome.output;
		if (JSON.stringify(json).length > MAX_LENGTH) return;
		const expiresAt = Date.parse(String(json.invitation_expired_at));
		kept.set(id, { state: 'sent', outcome, expiresAt, run: this.run });
	}

	/** Recording what this run has sent has failed. */
	setUnrecorded(): void {
		for (const each of kept.values()) if (each.run === this.run) each.isUnrecorded = true;
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

	private move(from: State, to: State): void {
		const before = [...kept].filter(([, { state }]) => state === to);
		const surplus = Math.max(0, before.length - LIMITS[to]);
		for (const [id] of before.slice(0, surplus)) kept.delete(id);
		for (const [id, each] of [...kept]) {
			if (each.run !== this.run || each.state !== from) continue;
			kept.delete(id);
			kept.set(id, { ...each, state: to });
		}
	}
}
