import { sleep } from 'n8n-workflow';
import type { ItemOutcome } from '../actions/operation';
import { NotSentError } from '../errors/ItemError';
import { maySend, type Claim } from './claim';
import { adviceOnFullColumn, errorOf, isUnknownWorkflow } from './n8nDatabase';
import { isRecordEmpty, nodeIdOf, takeTurn, type RecordContext, type Turn } from './nodeRecord';

/** A crash during a lookup leaves at most this many in doubt. */
const LOOKUP_SIZE = 100;

/** Recording is patient: a database that restarts must leave nobody in doubt who was invited. */
const RECORD_AGAIN_AFTER_MS = [1_000, 5_000, 20_000];

/**
 * The entries of an application in n8n's database:
 *
 *     new
 *     in doubt   known, doubt
 *     invited    known
 *
 * A lookup adds both entries first, so a crash can only leave it in doubt, even if it was invited.
 */
const known = ({ key }: Pick<Claim, 'key'>) => `k${key}`;
const doubt = ({ key }: Pick<Claim, 'key'>) => `d${key}`;
const both = (claim: Pick<Claim, 'key'>) => [known(claim), doubt(claim)];

/** What this process is sending, by node and key, until its outcome is recorded. */
const sending = new Set<string>();

/** What a node has sent, as its record says, and what one execution of it sends. */
export class Memory {
	/** False once n8n turns out to have no workflow to keep the record with. */
	isPersistent: boolean;
	private readonly nodeId: string;
	/** Claimed, and not recorded yet, with an outcome once it was sent or is given back. */
	private readonly claimed = new Map<Claim, ItemOutcome['kind'] | undefined>();
	private readonly settled: Claim[] = [];

	constructor(private readonly context: RecordContext) {
		this.nodeId = nodeIdOf(context);
		this.isPersistent = Boolean(context.getWorkflow().id);
	}

	/** Reads the states, and removes again what that adds. Throws `NotSentError` if it fails. */
	async lookUp(claims: readonly Claim[]): Promise<void> {
		for (let start = 0; start < claims.length; start += LOOKUP_SIZE) {
			await this.ask(claims.slice(start, start + LOOKUP_SIZE), () => []);
		}
	}

	/** Reads the states, claims what may be sent, and records earlier outcomes. Throws `NotSentError` if that fails. */
	async claim(claims: readonly Claim[]): Promise<void> {
		await this.ask(claims, () => {
			const mine = claims.filter(maySend);
			for (const claim of mine) {
				this.claimed.set(claim, undefined);
				sending.add(this.idOf(claim));
			}
			return mine;
		});
	}

	/** What became of a claim, to be recorded with the next ones, or at the end. */
	setOutcome(claim: Claim, outcome: ItemOutcome['kind']): void {
		this.claimed.set(claim, outcome);
	}

	/** If they are in doubt, they count as invited once the memory is closed. */
	settle(...claims: Claim[]): void {
		this.settled.push(...claims);
	}

	/** True if the node remembers nobody. Changes nothing. */
	async isEmpty(): Promise<boolean> {
		return this.isPersistent && (await isRecordEmpty(this.context));
	}

	/** Records all outcomes, and gives back the claims that have none. Throws the database's error. */
	async close(): Promise<void> {
		for (const [claim, outcome = 'notSent'] of this.claimed) this.claimed.set(claim, outcome);
		if (this.claimed.size + this.settled.length === 0) return;
		const record = async () => {
			const recording = this.recording();
			await this.takeTurn({
				...recording,
				record: () => [...this.settled.map(doubt), ...recording.record()],
				ask: [],
				answer: () => [],
			});
		};
		try {
			await patiently(record);
		} finally {
			this.forget([...this.claimed.keys()]);
		}
	}

	/** @param keep gives those to keep, once the states are known */
	private async ask(claims: readonly Claim[], keep: () => Claim[]): Promise<void> {
		if (claims.length === 0) return;
		const turn: Turn = {
			...this.recording(),
			ask: claims.flatMap(both),
			answer: (present) => {
				for (const claim of claims) claim.state = this.stateOf(claim, present);
				return keep().flatMap(both);
			},
		};
		await this.takeTurn(turn).catch((error: Error) => {
			const message = "Not sent: the node couldn't save its record in n8n's database";
			const advice = adviceOnFullColumn(error) ?? 'Run the workflow again.';
			const description = `${error.message}. Without that record, a candidate could be invited twice. ${advice}`;
			throw new NotSentError({ message, description });
		});
	}

	private stateOf(claim: Claim, present: ReadonlySet<string>): Claim['state'] {
		if (sending.has(this.idOf(claim))) return 'sending';
		if (present.has(doubt(claim))) return 'inDoubt';
		return present.has(known(claim)) ? 'invited' : 'new';
	}

	/** The part of a turn that records what has ended by then. */
	private recording(): Pick<Turn, 'record' | 'onRecorded'> {
		let ended: Claim[] = [];
		return {
			record: () => {
				const outcomes = [...this.claimed].filter(([, outcome]) => outcome);
				ended = outcomes.map(([claim]) => claim);
				for (const [claim, outcome] of outcomes) {
					// If giving it back fails, it may have worked, and somebody else may have claimed it since.
					if (outcome !== 'succeeded') this.claimed.set(claim, 'unknown');
				}
				return outcomes.flatMap(entriesToRemove);
			},
			onRecorded: () => this.forget(ended),
		};
	}

	private forget(ended: readonly Claim[]): void {
		for (const claim of ended) {
			this.claimed.delete(claim);
			sending.delete(this.idOf(claim));
		}
	}

	private idOf({ key }: Claim): string {
		return `${this.nodeId} ${key}`;
	}

	private async takeTurn(turn: Turn): Promise<void> {
		if (this.isPersistent) {
			const error = await errorOf(takeTurn(this.context, turn));
			if (!error) return;
			if (!isUnknownWorkflow(error)) throw error;
			this.isPersistent = false;
		}
		turn.record();
		turn.onRecorded();
		turn.answer(new Set());
	}
}

/** The entries to remove when a claim's outcome is recorded. An unknown outcome leaves it in doubt. */
function entriesToRemove([claim, outcome]: [Claim, ItemOutcome['kind'] | undefined]): string[] {
	if (outcome === 'succeeded') return [doubt(claim)];
	if (outcome === 'unknown') return [];
	if (claim.state === 'invited') return [doubt(claim)];
	return claim.state === 'inDoubt' ? [] : both(claim);
}

/** Tries again if it fails, for half a minute. */
async function patiently(record: () => Promise<void>): Promise<void> {
	for (const delay of RECORD_AGAIN_AFTER_MS) {
		try {
			return await record();
		} catch {
			await sleep(delay);
		}
	}
	await record();
}
