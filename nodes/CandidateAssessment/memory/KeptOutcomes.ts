import type { IDataObject, IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome } from '../actions/operation';
import { nodeIdOf } from './nodeRecord';

/** Beyond this number, the oldest are forgotten. */
const MAX_KEPT = 2_000;

/** An answer far larger than an invitation isn't kept. In characters, as JSON. */
const MAX_LENGTH = 10_000;

interface Kept {
	outcome: ItemOutcome;
	/** Milliseconds since 1970, or NaN. */
	expiresAt: number;
	/** The node's record says in doubt: it couldn't be written. */
	isUnrecorded?: boolean;
}

/** By node, account, and application. */
type Outcomes = Map<string, Kept>;

/** For any run of a node that comes. */
const forLaterRuns: Outcomes = new Map();

/** For the tries of one run. n8n has the same object in each of them. */
const forTries = new WeakMap<IExecuteData, Outcomes>();

/** What runs have that haven't ended. */
const running = new Set<Outcomes>();

/** What a list takes over from earlier runs with its account, and adds to. */
export interface KeptOfAccount {
	/** What was sent by an earlier run or try whose output was discarded, unless it has expired. */
	take(key: string): Kept | undefined;
	/** This run has sent it. A newer link replaces one that nobody has seen. */
	add(key: string, outcome: ItemOutcome): void;
	/** Recording what this run has sent has failed. */
	setUnrecorded(): void;
}

/**
 * What one run of a node has sent. n8n may discard its output, but what was sent isn't sent again. So this process
 * keeps it, and a later run or try with the same account outputs it as if it had sent it:
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
		this.nodeId = nodeIdOf(context);
		this.run = context.getExecuteData();
		this.mine = forTries.get(this.run) ?? new Map();
		forTries.delete(this.run);
		running.add(this.mine);
	}

	/**
	 * @param account a link of another must never come out
	 * @param expiryOf gives the time at which an output's link stops working, as the service writes it
	 */
	ofAccount(account: string, expiryOf: (output: IDataObject) => unknown): KeptOfAccount {
		const idOf = (key: string) => `${this.nodeId} ${account} ${key}`;
		return {
			take: (key) => {
				const id = idOf(key);
				const kept = forLaterRuns.get(id);
				if (kept) {
					forLaterRuns.delete(id);
					this.mine.set(id, kept);
				}
				const mine = this.mine.get(id);
				return mine && mine.expiresAt <= Date.now() ? undefined : mine;
			},
			add: (key, outcome) => {
				const id = idOf(key);
				let expiresAt = NaN;
				if (outcome.kind === 'succeeded') {
					const { json } = outcome.output;
					for (const older of [forLaterRuns, ...running]) older.delete(id);
					if (JSON.stringify(json).length > MAX_LENGTH) return;
					expiresAt = Date.parse(String(expiryOf(json)));
				}
				this.mine.set(id, { outcome, expiresAt });
			},
			setUnrecorded: () => {
				for (const kept of this.mine.values()) kept.isUnrecorded = true;
			},
		};
	}

	/** The node fails, or was stopped: n8n discards its output. */
	keepForLaterRuns(): void {
		const succeeded = [...this.mine].filter(([, { outcome }]) => outcome.kind === 'succeeded');
		for (const [id, kept] of succeeded.slice(-MAX_KEPT)) {
			forLaterRuns.set(id, kept);
			this.mine.delete(id);
			const [oldest] = forLaterRuns.keys();
			if (forLaterRuns.size > MAX_KEPT) forLaterRuns.delete(oldest);
		}
		// What is unknown, a later run looks up, and may be told to send again.
		this.keepForNextTry();
	}

	/** The output begins with an error. n8n passes it on, unless it tries again. */
	keepForNextTry(): void {
		forTries.set(this.run, this.mine);
		this.end();
	}

	/** The output is n8n's now, or what it had of it is kept. */
	end(): void {
		running.delete(this.mine);
	}
}
