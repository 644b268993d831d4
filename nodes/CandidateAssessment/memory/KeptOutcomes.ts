import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome } from '../errors/ItemError';
import { MAX_APPLICATIONS, MAX_OUTPUT } from './limits';
import { nodeIdOf } from './memory';

/** An answer far larger than an invitation isn't kept. In characters, as JSON. */
const MAX_LENGTH = 10_000;

/** One run of a node, with all its tries. */
interface NodeRun {
	state: State;
	/** Its execution's cancel signal. In a loop, several runs share it. */
	cancelSignal?: AbortSignal;
	kept: Map<string, Kept>;
	/** Unknown outcomes by ID, for its tries only: later runs look them up, if the node has a record. */
	unknown: Map<string, ItemOutcome>;
}

/** n8n may still discard an `output`. The next run may take one that was `discarded`, and no other. */
type State = 'running' | 'output' | 'discarded';

interface Kept {
	outcome: ItemOutcome;
	/** Milliseconds since 1970. NaN never expires. */
	expiresAt: number;
	/** Until then, the record says that it's in doubt. */
	isRecorded?: boolean;
}

/** The run that has sent or taken over each application, by ID (node, account, application). */
const owners = new Map<string, NodeRun>();

/** The runs that have ended, or were stopped, in the order in which their states changed. */
const runs = new Set<NodeRun>();

/** n8n has the same object in all tries of a run. */
const runsByData = new WeakMap<IExecuteData, NodeRun>();

/**
 * Keeps what one run of a node has sent. n8n discards its output if the node fails, or the execution is stopped before
 * its end. Nothing is sent again, so a later run or try with the same account outputs it as if it had sent it.
 */
export class KeptOutcomes {
	private readonly nodeId: string;
	private readonly run: NodeRun;

	/** @param cancelSignal aborted when the user stops the execution */
	constructor(
		context: Pick<IExecuteFunctions, 'getWorkflow' | 'getNode' | 'getExecuteData'>,
		cancelSignal?: AbortSignal,
	) {
		this.nodeId = nodeIdOf(context);
		const data = context.getExecuteData();
		const begun: NodeRun = { state: 'running', cancelSignal, kept: new Map(), unknown: new Map() };
		this.run = (context.getNode().retryOnFail && runsByData.get(data)) || begun;
		runsByData.set(data, this.run);
		this.setState('running');
		cancelSignal?.addEventListener('abort', () => this.onDiscarded(), { once: true });
	}

	/** Returns what an earlier try, or a run whose output was discarded, has sent for this account, unless expired. */
	take(account: string, key: string): Pick<Kept, 'outcome' | 'isRecorded'> | undefined {
		const id = this.idOf(account, key);
		const outcome = this.run.unknown.get(id);
		if (outcome) return { outcome, isRecorded: true };
		const owner = owners.get(id);
		const found = owner?.kept.get(id);
		if (!found || owner === this.run) return found;
		if (owner?.state !== 'discarded' || found.expiresAt <= Date.now()) return undefined;
		return this.keep(id, found);
	}

	/** Keeps what this run has sent. A newer link replaces an older one. */
	add(account: string, key: string, outcome: ItemOutcome): void {
		const id = this.idOf(account, key);
		if (outcome.kind === 'unknown') this.run.unknown.set(id, outcome);
		if (outcome.kind !== 'succeeded') return;
		const { json } = outcome.output;
		if (JSON.stringify(json).length > MAX_LENGTH) return forget(id);
		this.keep(id, { outcome, expiresAt: Date.parse(String(json.invitation_expired_at)) });
	}

	/** Notes that the record has what this run has sent or taken over. */
	setRecorded(): void {
		for (const each of this.run.kept.values()) each.isRecorded = true;
	}

	/** The node fails, or was stopped. */
	onDiscarded(): void {
		this.setState('discarded');
	}

	/** n8n has the output, and passes it on, unless it tries again, or the execution is stopped before its end. */
	onOutput(): void {
		this.setState(this.run.cancelSignal?.aborted ? 'discarded' : 'output');
	}

	private idOf(account: string, key: string): string {
		return `${this.nodeId} ${account} ${key}`;
	}

	private keep(id: string, each: Kept): Kept {
		forget(id);
		owners.set(id, this.run);
		this.run.kept.set(id, each);
		return each;
	}

	/** Forgets the oldest outcomes of other runs in that state, if there are too many. */
	private setState(state: State): void {
		const { run } = this;
		run.state = state;
		runs.delete(run);
		if (state === 'running') return;
		const isSame = ({ cancelSignal }: NodeRun) => cancelSignal && cancelSignal === run.cancelSignal;
		const others = [...runs].filter((each) => each.state === state && !isSame(each));
		// n8n itself holds those of a running execution.
		const limit = state === 'output' ? MAX_OUTPUT : MAX_APPLICATIONS;
		let surplus = others.reduce((sum, each) => sum + each.kept.size, 0) - limit;
		for (const other of others) {
			for (const id of other.kept.keys()) if (surplus-- > 0) forget(id);
			if (other.kept.size === 0) runs.delete(other);
		}
		runs.add(run);
	}
}

function forget(id: string): void {
	owners.get(id)?.kept.delete(id);
	owners.delete(id);
}
