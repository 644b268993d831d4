import { createHash } from 'crypto';

/**
 * What keeps the memory's entries. Nothing can be looked up without being added: n8n's helper has
 * no other way to read.
 */
export interface MemoryStore {
	/** Whether the entries outlive the execution. */
	readonly isPersistent: boolean;
	/** Adds entries in one read-and-write, and gives those that were there. */
	add(entries: string[]): Promise<Set<string>>;
	/** The same, after which the oldest entries go if there are too many. */
	addAndTrim(entries: string[]): Promise<Set<string>>;
	remove(entries: string[]): Promise<void>;
	/** Runs a task while no other task in this process uses the same entries. */
	exclusive<T>(task: () => Promise<T>): Promise<T>;
}

/** What is remembered of an application. In doubt: it was about to be sent, and no end is recorded. */
export type Remembered = 'new' | 'taken' | 'inDoubt';

/** An application that is about to be sent. In doubt until it is recorded as taken, or released. */
export interface Claim {
	key: string;
	/** What was remembered of it before. */
	before: Remembered;
}

/** An application to claim; one that was taken or is in doubt only if it is to be sent again. */
export interface Candidacy {
	key: string;
	again: boolean;
}

/** Claims that have ended. */
export interface Ended {
	taken: readonly Claim[];
	/** Certainly not taken: they are as they were before. */
	released: readonly Claim[];
}

/**
 * The entries of one application. `claimed` alone means in doubt, with `taken` it means taken, and
 * with `doubtful` it means in doubt whatever else is there.
 *
 * To look at `taken` is to add it. So `doubtful` is added in the same write, and goes when what was
 * there is restored: a crash between any two writes can leave an application in doubt that was
 * taken, and never makes one in doubt count as taken, or either as new.
 */
const claimed = (key: string) => `c${key}`;
const taken = (key: string) => `t${key}`;
const doubtful = (key: string) => `d${key}`;

/** The entries that an application leaves for good, once it is taken. */
export const ENTRIES_PER_APPLICATION = 2;

/** Which applications were taken, and which are in doubt. It knows them by their keys only. */
export class Memory {
	constructor(private readonly store: MemoryStore) {}

	/**
	 * Records what has ended and claims what goes next, as a rule in one read-and-write. Gives what
	 * was remembered of each candidacy, in order; new ones, and those to be sent again, are claimed now.
	 * @param candidacies no key twice
	 */
	async claim(candidacies: readonly Candidacy[], ended: Ended): Promise<Claim[]> {
		return await this.store.exclusive(async () => {
			await this.end(ended);
			const entries = [...entriesToKeep(ended), ...candidacies.map(({ key }) => claimed(key))];
			if (entries.length === 0) return [];
			// Not trimmed: that could take what the candidacies are looked up by.
			const known = await this.store.add(entries);
			const again = new Set(candidacies.filter((one) => one.again).map(({ key }) => key));
			const keys = candidacies.map(({ key }) => key);
			return await this.read(keys, known, (key) => !again.has(key));
		});
	}

	/** Records what has ended, when nothing goes next. */
	async settle(ended: Ended): Promise<void> {
		await this.store.exclusive(async () => {
			await this.end(ended);
			const entries = entriesToKeep(ended);
			if (entries.length > 0) await this.store.addAndTrim(entries);
		});
	}

	/** What is remembered of each application, in order. It leaves everything as it was. */
	async look(keys: readonly string[]): Promise<Claim[]> {
		return await this.store.exclusive(async () => {
			const known = await this.store.add(keys.map(claimed));
			const claims = await this.read(keys, known, () => true);
			const unknown = claims.filter(({ before }) => before === 'new');
			await this.remove(unknown.map(({ key }) => claimed(key)));
			return claims;
		});
	}

	/** @param restore whether an application that was claimed before is left as it was, or else in doubt */
	private async read(
		keys: readonly string[],
		known: ReadonlySet<string>,
		restore: (key: string) => boolean,
	): Promise<Claim[]> {
		const seen = keys.filter((key) => known.has(claimed(key)));
		if (seen.length === 0) return keys.map((key) => ({ key, before: 'new' }));
		const probed = seen.flatMap((key) => [doubtful(key), taken(key)]);
		const found = await this.store.add(probed);
		const isRestored = new Set(seen.filter(restore).flatMap((key) => [doubtful(key), taken(key)]));
		await this.remove(probed.filter((entry) => !found.has(entry) && isRestored.has(entry)));
		return keys.map((key) => {
			if (!known.has(claimed(key))) return { key, before: 'new' };
			const isTaken = found.has(taken(key)) && !found.has(doubtful(key));
			return { key, before: isTaken ? 'taken' : 'inDoubt' };
		});
	}

	private async end({ taken: all, released }: Ended): Promise<void> {
		const sentAgain = all.filter(({ before }) => before !== 'new');
		const takenBefore = released.filter(({ before }) => before === 'taken');
		await this.remove([...sentAgain, ...takenBefore].map(({ key }) => doubtful(key)));
		await this.forget(released.filter(({ before }) => before === 'new'));
	}

	/** Forgets claims, unless another execution has meanwhile sent the same application again. */
	private async forget(claims: readonly Claim[]): Promise<void> {
		if (claims.length === 0) return;
		const others = ({ key }: Claim) => [doubtful(key), taken(key)];
		const found = await this.store.add(claims.flatMap(others));
		const isMine = (claim: Claim) => !others(claim).some((entry) => found.has(entry));
		await this.remove(
			claims.flatMap((claim) =>
				isMine(claim)
					? [claimed(claim.key), ...others(claim)]
					: others(claim).filter((entry) => !found.has(entry)),
			),
		);
	}

	private async remove(entries: string[]): Promise<void> {
		if (entries.length > 0) await this.store.remove(entries);
	}
}

/** The claim is written again: another process may have overwritten it. */
function entriesToKeep(ended: Ended): string[] {
	return ended.taken.flatMap(({ key }) => [claimed(key), taken(key)]);
}

/** A key for what tells one application from another. It says nothing about the candidate. */
export function applicationKey(parts: readonly string[]): string {
	const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
	return digest.subarray(0, 16).toString('base64');
}
