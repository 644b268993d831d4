import { createHash } from 'crypto';
import type { ItemOutcome } from '../actions/ItemOutcome';
import type { Application } from '../actions/operation';
import type { MemoryStore } from './memoryStore';

/**
 * In doubt: it was about to be sent, and no end is recorded.
 * Sending: another execution in this process has claimed it, and hasn't recorded its end yet.
 */
export type ApplicationState = 'new' | 'accepted' | 'inDoubt' | 'sending';

/** An application that is about to be sent, if its state allows that. */
export interface ClaimRequest extends Pick<Application, 'ifAlreadySent'> {
	key: string;
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
const known = (key: string) => `k${key}`;
const open = (key: string) => `o${key}`;
const both = (key: string) => [known(key), open(key)];

/** What this process is sending, by store and key, until its end is recorded. */
const sending = new Set<string>();

/**
 * The applications that one execution sends. n8n's database has no lock: an entry that another process may
 * have overwritten is written again with the next write, and once more at the end.
 */
export class Memory {
	/** Claimed and not ended, with the state before. */
	private readonly claimed = new Map<string, ApplicationState>();
	private readonly unknown: string[] = [];
	private readonly accepted: string[] = [];
	private recordedCount = 0;
	/** New ones that were not accepted, to be forgotten. */
	private readonly released: string[] = [];
	/** In doubt, to count as accepted. */
	private readonly settled: string[] = [];

	constructor(readonly store: MemoryStore) {}

	/** The state of each application. The store is left unchanged. */
	async lookUp(keys: readonly string[]): Promise<ApplicationState[]> {
		const { store } = this;
		return await store.exclusive(async () => {
			const entries = keys.flatMap(both);
			const present = await store.add(entries);
			await store.remove(entries.filter((entry) => !present.has(entry)));
			return keys.map((key) => this.stateOf(key, present));
		});
	}

	/**
	 * Records what has ended and claims what goes next. Gives the states before, by key.
	 * @param requests no key twice in an execution
	 */
	async claim(requests: readonly ClaimRequest[]): Promise<Map<string, ApplicationState>> {
		const states = new Map<string, ApplicationState>();
		if (requests.length === 0) return states;
		return await this.store.exclusive(async () => {
			const present = await this.record(requests.map(({ key }) => key));
			const left: string[] = [];
			for (const { key, ifAlreadySent } of requests) {
				const state = this.stateOf(key, present);
				states.set(key, state);
				if (maySend(ifAlreadySent, state)) {
					this.claimed.set(key, state);
					sending.add(this.idOf(key));
				} else if (state === 'accepted') left.push(open(key));
			}
			await this.store.remove(left);
			return states;
		});
	}

	/** A claimed application has ended; one of unknown outcome stays in doubt. */
	end(key: string, outcome: ItemOutcome['kind']): void {
		const before = this.claimed.get(key);
		if (!before) return;
		this.claimed.delete(key);
		if (outcome === 'unknown') this.unknown.push(key);
		else if (outcome === 'succeeded' || before === 'accepted') this.accepted.push(key);
		else if (before === 'inDoubt') this.unknown.push(key);
		else this.released.push(key);
	}

	/** One in doubt counts as accepted once the memory is closed. */
	settle(key: string): void {
		this.settled.push(key);
	}

	/** Records what has ended, and releases what was never sent. */
	async close(): Promise<void> {
		for (const key of this.claimed.keys()) this.end(key, 'notSent');
		const { unknown, accepted, released } = this;
		const ended = [...unknown, ...accepted, ...released];
		if (ended.length + this.settled.length === 0) return;
		try {
			await this.store.exclusive(async () => {
				await this.record([], true);
				await this.store.remove(this.settled.map(open));
			});
		} finally {
			for (const key of ended) sending.delete(this.idOf(key));
		}
	}

	/** Writes down what has ended, and the claims. Gives the entries that were there. */
	private async record(keys: readonly string[], isLast = false): Promise<Set<string>> {
		const { store, accepted, unknown } = this;
		const ended = accepted.slice(this.recordedCount);
		const released = [...this.released];
		await store.remove([...ended.map(open), ...released.flatMap(both)]);
		const claims = [...this.claimed.keys(), ...unknown, ...keys].flatMap(both);
		const present = await store.add([...(isLast ? accepted : ended).map(known), ...claims], isLast);
		this.recordedCount += ended.length;
		this.released.splice(0, released.length);
		for (const key of [...ended, ...released]) sending.delete(this.idOf(key));
		return present;
	}

	private stateOf(key: string, present: ReadonlySet<string>): ApplicationState {
		if (sending.has(this.idOf(key))) return 'sending';
		if (present.has(open(key))) return 'inDoubt';
		return present.has(known(key)) ? 'accepted' : 'new';
	}

	private idOf(key: string): string {
		return `${this.store.id} ${key}`;
	}
}

/** True if an application in this state is to be sent. */
export function maySend(choice: Application['ifAlreadySent'], state: ApplicationState): boolean {
	if (state === 'new' || state === 'sending') return state === 'new';
	return choice === 'inviteAgain' || (choice === 'resendUnknown' && state === 'inDoubt');
}

/** A key for what tells one application from another. It says nothing about the candidate. */
export function applicationKey(parts: readonly string[]): string {
	const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
	return digest.subarray(0, 16).toString('base64');
}
