import { createHash } from 'crypto';
import type { ItemOutcome } from '../actions/ItemOutcome';
import type { Application } from '../actions/operation';

/** Keeps the memory's entries. Nothing can be looked up without being added: n8n's helper cannot just read. */
export interface MemoryStore {
	/** Whether the entries outlive the execution. */
	readonly isPersistent: boolean;
	/**
	 * Adds entries in one read-and-write, and gives those that were there.
	 * @param isLast then the oldest entries go if there are too many
	 */
	add(entries: string[], isLast?: boolean): Promise<Set<string>>;
	remove(entries: string[]): Promise<void>;
	/** Runs a task while no other task in this process uses the same entries. */
	exclusive<T>(task: () => Promise<T>): Promise<T>;
}

/** What is remembered of an application. In doubt: it was about to be sent, and no end is recorded. */
export type Remembered = 'new' | 'accepted' | 'inDoubt';

/** An application that is about to be sent, if what is remembered of it allows that. */
export interface ClaimRequest extends Pick<Application, 'ifAlreadySent'> {
	key: string;
}

/** The oldest of more than these are forgotten. */
export const MAX_APPLICATIONS = 20_000;

/** Entries of what is under way, at most: for each request in flight, and each one claimed. */
export const MAX_OPEN = 200;

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
	private released: string[] = [];

	constructor(private readonly store: MemoryStore) {}

	/**
	 * Records what has ended and claims what goes next. Gives what was remembered, by key.
	 * @param requests no key twice in an execution
	 */
	async claim(requests: readonly ClaimRequest[]): Promise<Map<string, Remembered>> {
		if (requests.length === 0) return new Map();
		return await this.store.exclusive(async () => await this.write(requests));
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
		await this.store.exclusive(async () => await this.write([], true));
	}

	/** Those of the applications that were accepted before. It leaves everything as it was. */
	async findAccepted(keys: readonly string[]): Promise<string[]> {
		return await this.store.exclusive(async () => {
			const found = await this.store.add(keys.flatMap(both));
			await this.remove(keys.flatMap(both).filter((entry) => !found.has(entry)));
			return keys.filter((key) => stateIn(found, key) === 'accepted');
		});
	}

	private async write(
		requests: readonly ClaimRequest[],
		isLast = false,
	): Promise<Map<string, Remembered>> {
		const { store, accepted, unknown } = this;
		const released = [...this.released];
		const recorded = accepted.length;
		await this.remove([
			...accepted.slice(this.recorded).map(open),
			...(await this.forgetting(released)),
		]);
		const found = await store.add(
			[
				...accepted.slice(isLast ? 0 : this.recorded).map(known),
				...[...this.claimed.keys(), ...unknown, ...requests.map(({ key }) => key)].flatMap(both),
			],
			isLast,
		);
		this.recorded = recorded;
		this.released = this.released.slice(released.length);
		for (const key of this.claimed.keys()) {
			if (stateIn(found, key) === 'accepted') this.claimed.set(key, 'accepted');
		}
		const before = new Map(requests.map(({ key }) => [key, stateIn(found, key)]));
		const [sent, left] = [true, false].map((isSent) =>
			requests.filter((request) => maySend(request, before.get(request.key)) === isSent),
		);
		const unclaimed = left.filter(({ key }) => before.get(key) === 'accepted');
		await this.remove(unclaimed.map(({ key }) => open(key)));
		for (const { key } of sent) this.claimed.set(key, before.get(key) ?? 'new');
		return before;
	}

	/** The entries to remove of new ones that were not accepted. */
	private async forgetting(keys: string[]): Promise<string[]> {
		if (keys.length === 0) return [];
		const found = await this.store.add(keys.map(open));
		// Without an entry of its own, another execution has sent it again, and it was accepted.
		return keys.flatMap((key) => (found.has(open(key)) ? both(key) : [open(key)]));
	}

	private async remove(entries: string[]): Promise<void> {
		if (entries.length > 0) await this.store.remove(entries);
	}
}

function stateIn(found: ReadonlySet<string>, key: string): Remembered {
	if (found.has(open(key))) return 'inDoubt';
	return found.has(known(key)) ? 'accepted' : 'new';
}

/** Whether an application is sent, after what is remembered of it. */
export function maySend({ ifAlreadySent }: ClaimRequest, before: Remembered = 'new'): boolean {
	if (before === 'new' || ifAlreadySent === 'inviteAgain') return true;
	return before === 'inDoubt' && ifAlreadySent === 'resendUnknown';
}

/** A key for what tells one application from another. It says nothing about the candidate. */
export function applicationKey(parts: readonly string[]): string {
	const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
	return digest.subarray(0, 16).toString('base64');
}
