import { createHash } from 'crypto';
import type { Application, ItemOutcome } from '../actions/operation';
import type { NodeMemoryStore } from './memoryStore';

/**
 * In doubt: it was about to be sent, and no end is recorded.
 * Sending: another execution in this process has claimed it, and hasn't recorded its end yet.
 */
type ApplicationState = 'new' | 'accepted' | 'inDoubt' | 'sending';

/** An application that an execution would send. */
export interface Claim extends Pick<Application, 'ifAlreadySent' | 'notConfirmed'> {
	key: string;
	/** The first item in the list that has it. */
	first: number;
	/** What the memory said last. */
	state: ApplicationState;
	/** Of what this execution has claimed. */
	outcome?: ItemOutcome['kind'];
}

/**
 * The entries of an application in the store:
 *
 *     new
 *     in doubt   known, open
 *     accepted   known
 *
 * A lookup adds both entries; a crash in between can only lead to in doubt.
 */
const known = ({ key }: Pick<Claim, 'key'>) => `k${key}`;
const open = ({ key }: Pick<Claim, 'key'>) => `o${key}`;
const both = (claim: Pick<Claim, 'key'>) => [known(claim), open(claim)];

/** What this process is sending, by store and key, until its end is recorded. */
const sending = new Set<string>();

/** The applications that one execution sends. Its methods throw what the store throws. */
export class Memory {
	/** Claimed and not ended. */
	private readonly claimed = new Set<Claim>();
	/** To be recorded. */
	private readonly ended: Claim[] = [];

	constructor(readonly store: NodeMemoryStore) {}

	/**
	 * Reads the states, and records what has ended.
	 * @param mayClaim what may be sent is claimed; otherwise nothing is added to the store
	 */
	async lookUp(claims: readonly Claim[], { mayClaim }: { mayClaim: boolean }): Promise<void> {
		if (claims.length === 0) return;
		const { store } = this;
		await store.exclusive(async () => {
			const ended = [...this.ended];
			await store.remove(ended.flatMap(outdated));
			this.forget(ended);
			const present = await store.add(claims.flatMap(both));
			for (const claim of claims) {
				if (sending.has(this.idOf(claim))) claim.state = 'sending';
				else if (present.has(open(claim))) claim.state = 'inDoubt';
				else claim.state = present.has(known(claim)) ? 'accepted' : 'new';
			}
			const mine = claims.filter((claim) => mayClaim && maySend(claim));
			for (const claim of mine) {
				this.claimed.add(claim);
				sending.add(this.idOf(claim));
			}
			const others = claims.filter((claim) => !this.claimed.has(claim));
			await store.remove(others.flatMap(both).filter((entry) => !present.has(entry)));
			// As the oldest entries, they can be gone by now.
			await store.add(mine.filter(({ state }) => state !== 'new').flatMap(both));
		});
	}

	/** A claimed application has ended. */
	end(claim: Claim, outcome: ItemOutcome['kind']): void {
		claim.outcome = outcome;
		if (this.claimed.delete(claim)) this.ended.push(claim);
	}

	/** From now on, those in doubt count as accepted where the user says so. */
	async acceptDoubts(claims: readonly Claim[]): Promise<void> {
		const accepted = claims.filter(
			({ state, ifAlreadySent }) => state === 'inDoubt' && ifAlreadySent === 'skipUnknown',
		);
		if (accepted.length === 0) return;
		await this.store.exclusive(async () => {
			const isSending = (claim: Claim) => sending.has(this.idOf(claim));
			await this.store.remove(accepted.filter((claim) => !isSending(claim)).map(open));
		});
	}

	/** Records what has ended, and gives back what was never sent. */
	async close(): Promise<void> {
		for (const claim of this.claimed) this.end(claim, 'notSent');
		const entries = this.ended.flatMap(outdated);
		try {
			if (entries.length === 0) return;
			await this.store.exclusive(async () => await this.store.remove(entries));
		} finally {
			this.forget([...this.ended]);
		}
	}

	private forget(ended: readonly Claim[]): void {
		this.ended.splice(0, ended.length);
		for (const claim of ended) sending.delete(this.idOf(claim));
	}

	private idOf({ key }: Claim): string {
		return `${this.store.id} ${key}`;
	}
}

/** True if an application is to be sent. */
export function maySend({ state, ifAlreadySent }: Claim): boolean {
	if (state === 'new' || state === 'sending') return state === 'new';
	return (
		ifAlreadySent === 'inviteAgain' || (ifAlreadySent === 'resendUnknown' && state === 'inDoubt')
	);
}

/** A key for what tells one application from another. It says nothing about the candidate. */
export function applicationKey(identity: readonly string[]): string {
	const digest = createHash('sha256').update(JSON.stringify(identity)).digest();
	return digest.subarray(0, 16).toString('base64');
}

/** The entries that are to go when a claim's end is recorded. One of unknown outcome stays in doubt. */
function outdated(claim: Claim): string[] {
	const { state, outcome } = claim;
	if (outcome === 'unknown') return [];
	if (outcome === 'succeeded' || state === 'accepted') return [open(claim)];
	return state === 'inDoubt' ? [] : both(claim);
}
