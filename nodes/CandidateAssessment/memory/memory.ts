import { createHash } from 'crypto';
import type { Application, ItemOutcome } from '../actions/operation';
import type { NodeMemoryStore } from './memoryStore';

/**
 * inDoubt: it was about to be sent, and no outcome was recorded.
 * sending: another execution in this process claimed it and hasn't recorded its outcome yet.
 */
type ApplicationState = 'new' | 'accepted' | 'inDoubt' | 'sending';

/** An application that an execution would send. */
export interface Claim extends Pick<Application, 'ifAlreadySent' | 'notConfirmed'> {
	key: string;
	/** The first item in the list that has it. */
	first: number;
	/** As last looked up. */
	state: ApplicationState;
	outcome?: ItemOutcome['kind'];
}

/**
 * The entries of an application in the store:
 *
 *     new
 *     in doubt   known, open
 *     accepted   known
 *
 * A lookup adds both entries first, so a crash can only leave an application in doubt.
 */
const known = ({ key }: Pick<Claim, 'key'>) => `k${key}`;
const open = ({ key }: Pick<Claim, 'key'>) => `o${key}`;
const both = (claim: Pick<Claim, 'key'>) => [known(claim), open(claim)];

/** What this process is sending, by store and key, until its outcome is recorded. */
const sending = new Set<string>();

/** The applications that one execution sends. Its methods throw what the store throws. */
export class Memory {
	/** Claimed and not yet ended. */
	private readonly claimed = new Set<Claim>();
	/** Ended and not yet recorded. */
	private readonly ended: Claim[] = [];

	constructor(readonly store: NodeMemoryStore) {}

	/**
	 * Reads the states, and records the claims that have ended.
	 * @param mayClaim whether to claim what may be sent; if not, the store stays as it is
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
			// They may have been the oldest entries, and dropped.
			await store.add(mine.filter(({ state }) => state !== 'new').flatMap(both));
		});
	}

	end(claim: Claim, outcome: ItemOutcome['kind']): void {
		claim.outcome = outcome;
		if (this.claimed.delete(claim)) this.ended.push(claim);
	}

	/** From now on, applications in doubt count as accepted if the user says so. */
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

	/** Records the claims that have ended, and gives back those that were never sent. */
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

/** The entries to remove when a claim's outcome is recorded. An unknown outcome leaves it in doubt. */
function outdated(claim: Claim): string[] {
	const { state, outcome } = claim;
	if (outcome === 'unknown') return [];
	if (outcome === 'succeeded' || state === 'accepted') return [open(claim)];
	return state === 'inDoubt' ? [] : both(claim);
}
