import { createHash } from 'crypto';
import type { ItemOutcome } from '../actions/ItemOutcome';
import type { Application } from '../actions/operation';
import type { MemoryStore } from './memoryStore';

/** The memory of one application. In doubt: it was about to be sent, and no end is recorded. */
export type Remembered = 'new' | 'accepted' | 'inDoubt';

/** An application that is about to be sent, if what is remembered of it allows that. */
export interface ClaimRequest extends Pick<Application, 'ifAlreadySent'> {
	key: string;
}

/**
 * The entries of one application: `known` that it was claimed, `open` that no end is recorded. New {}, in
 * doubt {known, open}, accepted {known}. To look is to add both, and never makes one in doubt count as
 * accepted, or either as new, wherever a crash comes between.
 */
const known = (key: string) => `k${key}`;
const open = (key: string) => `o${key}`;
const both = (key: string) => [known(key), open(key)];

/**
 * The applications that one execution sends. n8n's database has no lock: an entry that another process may
 * have overwritten is written again with the next write, and once more at the end.
 */
export class Memory {
	/** Claimed and not ended, with what was remembered before. */
	private readonly claimed = new Map<string, Remembered>();
	private readonly unknown: string[] = [];
	private readonly accepted: string[] = [];
	/** So many of the accepted ones are recorded. */
	private recorded = 0;
	/** New ones that were not accepted, to be forgotten. */
	private readonly released: string[] = [];

	constructor(readonly store: MemoryStore) {}

	/**
	 * Records what has ended and claims what goes next. Gives what was remembered, by key.
	 * @param requests no key twice in an execution
	 */
	async claim(requests: readonly ClaimRequest[]): Promise<Map<string, Remembered>> {
		if (requests.length === 0) return new Map();
		return await this.store.exclusive(async () => {
			const found = await this.record(requests.map(({ key }) => key));
			const before = new Map(requests.map(({ key }) => [key, stateIn(found, key)]));
			for (const request of requests) {
				const state = stateIn(found, request.key);
				if (maySend(request, state)) this.claimed.set(request.key, state);
			}
			const isLeft = (key: string) => before.get(key) === 'accepted' && !this.claimed.has(key);
			await this.store.remove([...before.keys()].filter(isLeft).map(open));
			return before;
		});
	}

	/** A claimed application has ended; one of unknown outcome stays in doubt. */
	end(key: string, outcome: ItemOutcome['kind']): void {
		const before = this.claimed.get(key);
		if (!before) return;
		this.claimed.delete(key);
		if (outcome === 'unknown') this.unknown.push(key);
		else if (outcome === 'succeeded' || before === 'accepted') this.accepted.push(key);
		else if (before === 'new') this.released.push(key);
	}

	/** Records what has ended, and releases what was never sent. */
	async close(): Promise<void> {
		for (const key of this.claimed.keys()) this.end(key, 'notSent');
		const { unknown, accepted, released } = this;
		if (unknown.length + accepted.length + released.length === 0) return;
		await this.store.exclusive(async () => await this.record([], true));
	}

	/** Those of the applications that were accepted before. It leaves everything as it was. */
	async findAccepted(keys: readonly string[]): Promise<string[]> {
		return await this.store.exclusive(async () => {
			const found = await this.store.add(keys.flatMap(both));
			await this.store.remove(keys.flatMap(both).filter((entry) => !found.has(entry)));
			return keys.filter((key) => stateIn(found, key) === 'accepted');
		});
	}

	/** Writes down what has ended, and the claims. Gives the entries that were there. */
	private async record(keys: readonly string[], isLast = false): Promise<Set<string>> {
		const { store, accepted, unknown } = this;
		const ended = accepted.slice(this.recorded);
		const released = [...this.released];
		await store.remove([...ended.map(open), ...(await this.forgetting(released))]);
		const claims = [...this.claimed.keys(), ...unknown, ...keys].flatMap(both);
		const found = await store.add([...(isLast ? accepted : ended).map(known), ...claims], isLast);
		this.recorded += ended.length;
		this.released.splice(0, released.length);
		for (const key of this.claimed.keys()) {
			if (stateIn(found, key) === 'accepted') this.claimed.set(key, 'accepted');
		}
		return found;
	}

	/** The entries to remove of new ones that were not accepted. */
	private async forgetting(keys: string[]): Promise<string[]> {
		if (keys.length === 0) return [];
		const found = await this.store.add(keys.map(open));
		// Without an entry of its own, another execution has sent it again, and it was accepted.
		return keys.flatMap((key) => (found.has(open(key)) ? both(key) : [open(key)]));
	}
}

function stateIn(found: ReadonlySet<string>, key: string): Remembered {
	if (found.has(open(key))) return 'inDoubt';
	return found.has(known(key)) ? 'accepted' : 'new';
}

/** True if an application is to be sent, after what is remembered of it. */
export function maySend({ ifAlreadySent }: ClaimRequest, before: Remembered): boolean {
	if (before === 'new' || ifAlreadySent === 'inviteAgain') return true;
	return before === 'inDoubt' && ifAlreadySent === 'resendUnknown';
}

/** A key for what tells one application from another. It says nothing about the candidate. */
export function applicationKey(parts: readonly string[]): string {
	const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
	return digest.subarray(0, 16).toString('base64');
}
