import { randomInt, randomUUID } from 'crypto';
import { sleep, type DeduplicationMode, type IExecuteFunctions } from 'n8n-workflow';

/**
 * A lock that all processes of n8n share: a row in n8n's database, with a random number of entries. A different number
 * means a different holder. Why it works, and what is given up: memory/lock/README.md.
 *
 *   acquire   insert the row: the database refuses all inserts but one
 *   wait      while it's another's, count its entries, and nothing else
 *   release   delete the row, if it has as many entries as it was given
 *   dead      a holder whose row hasn't changed for a minute: delete it, and insert like anybody else
 *   fence     a holder that was suspended for too long can't write any more
 */

/** How long to wait between two counts. It grows while nothing changes. */
const POLL_MS = 20;
const MAX_POLL_MS = 1_000;
/** How long a process may write after taking the lock. Wall-clock time runs on while the machine is suspended. */
const VALID_MS = 20_000;
/** Longer, because a packet that was sent in time may arrive half a minute late. */
const DEAD_AFTER_MS = 60_000;
/** Spreads the waiting processes, which all delete a dead holder's row. */
const JITTER_MS = 10_000;
/** How many times in a row the database may refuse a free lock. */
const MAX_FAILURES = 10;
const MAX_ENTRIES = 100;
/** For entries that are always written, and never. */
const [ALWAYS, NEVER] = [Infinity, -Infinity];

// "Finding", "the mode check" and so on: the steps of n8n's helper, which README.md quotes.

/** No other node has this mode, so the mode check keeps other nodes away from our row, and us from theirs. */
const MODE = 'candidateAssessmentLock' as string as DeduplicationMode;

/** The mode check throws for any row, since no text is identical to an object. So only inserting can write; it stores `MODE`. */
const INSERT_ONLY = Object(MODE) as DeduplicationMode;

/** Hashing throws, so nothing is written. If the mode check did before, the row is another node's. */
const WHOSE_ROW = [fenced('', NEVER)];

export type LockContext = Pick<IExecuteFunctions, 'getWorkflow' | 'helpers'>;

export interface Lock {
	/** Wraps entries to write. n8n can't write what it returns once the lock may be another's. */
	fence(entries: readonly string[]): string[];
	release(): Promise<void>;
}

/**
 * Waits for the lock of a workflow; there is none for one that was never saved. If a Remove Duplicates node of scope
 * `workflow` already has the lock's row, that stays as it is, and the lock keeps nobody away. Throws the database's
 * error if it refuses the lock.
 */
export async function takeLock(context: LockContext): Promise<Lock | undefined> {
	const row = new LockRow(context);
	const holding = context.getWorkflow().id ? await row.acquire() : 'neverSaved';
	if (holding === 'neverSaved') return undefined;
	const since = holding === 'anotherNode' ? ALWAYS : holding.since;
	return {
		// One fenced entry is enough: if hashing throws, n8n writes none.
		fence: ([first, ...others]) => [fenced(first, since), ...others],
		release: async () => {
			if (holding !== 'anotherNode') await row.release(holding);
		},
	};
}

/** Hashing throws if the process was suspended since it took the lock: between finding and updating, it overwrites nothing. */
function fenced(entry: string, heldSince: number): string {
	const toString = () => {
		if (isValid(heldSince)) return entry;
		throw new FenceError('n8n or its database was too slow');
	};
	return { toString } as string;
}

class FenceError extends Error {}

function isValid(heldSince: number): boolean {
	return Date.now() - heldSince < VALID_MS;
}

interface Holding {
	/** Right before the insert. */
	since: number;
	count: number;
}

class LockRow {
	constructor(private readonly context: LockContext) {}

	/** Waits for the lock, unless the row is another node's, or the workflow was never saved. */
	async acquire(): Promise<Holding | 'anotherNode' | 'neverSaved'> {
		let failures = 0;
		let before: number | undefined;
		for (;;) {
			const since = Date.now();
			const entries = newEntries(before);
			const refusal = await errorOf(this.add(entries, INSERT_ONLY));
			if (!refusal) return { since, count: entries.length };
			if (isUnknownWorkflow(refusal)) return 'neverSaved';
			if ((await this.owner()) === 'anotherNode') return 'anotherNode';
			if (++failures === MAX_FAILURES) throw refusal;
			before = await this.waitWhileHeld();
			if (before) failures = 0;
		}
	}

	/** Waits until the row has gone, or its holder is dead. @returns its last count, if there was one */
	private async waitWhileHeld(): Promise<number | undefined> {
		let last: number | undefined;
		let changedAt = Date.now();
		let deadAt = Infinity;
		for (;;) {
			const pause = Math.max(POLL_MS, (Date.now() - changedAt) / 20);
			await sleep(Math.min(MAX_POLL_MS, pause) * (1 + Math.random()));
			const isDead = Date.now() > deadAt;
			if (isDead && (await this.owner()) !== 'lock') return last;
			const count = await this.count();
			if (count === 0) return last;
			if (count !== last) {
				last = count;
				// Counting may take long, so the time starts here.
				changedAt = Date.now();
				deadAt = changedAt + DEAD_AFTER_MS + JITTER_MS * Math.random();
			} else if (isDead) {
				// Right after the count, before the row can become another's.
				await errorOf(this.delete());
				return last;
			}
		}
	}

	/** Tries once: a delete whose answer was lost may have worked, and the row may be another's by then. */
	async release({ since, count }: Holding): Promise<void> {
		const isMine = (await this.count().catch(() => 0)) === count;
		if (isMine && isValid(since)) await errorOf(this.delete());
	}

	/** The owner of the row, or who could be; nothing if the database doesn't say. Changes nothing. */
	private async owner(): Promise<'lock' | 'anotherNode' | undefined> {
		const refusal = await errorOf(this.add(WHOSE_ROW, MODE));
		if (refusal instanceof FenceError) return 'lock';
		return refusal && isOtherMode(refusal) ? 'anotherNode' : undefined;
	}

	private async add(entries: string[], mode: DeduplicationMode): Promise<void> {
		await this.context.helpers.checkProcessedAndRecord(entries, 'workflow', { mode });
	}

	/** n8n counts any row that has entries, but only if it's asked for this mode. */
	private async count(): Promise<number> {
		const { getProcessedDataCount } = this.context.helpers;
		return await retryOnce(
			async () => await getProcessedDataCount('workflow', { mode: 'entries' }),
		);
	}

	private async delete(): Promise<void> {
		await this.context.helpers.clearAllProcessedItems('workflow', { mode: MODE });
	}
}

/** Never the previous holder's count, or waiting processes wouldn't notice the change. */
function newEntries(before?: number): string[] {
	const id = randomUUID();
	const number = randomInt(1, MAX_ENTRIES);
	const length = number === before ? MAX_ENTRIES : number;
	return Array.from({ length }, (_, index) => `${id} ${index}`);
}

/** A node with another mode made the row. The name is the same in every version of n8n. */
function isOtherMode(error: Error): boolean {
	return error.constructor.name === 'DeduplicationError';
}

/** True for a workflow that was never saved, or runs from an unsaved editor, on any database. */
function isUnknownWorkflow(error: Error): boolean {
	return /foreign key/i.test(error.message);
}

/** Retries once: the database may have been busy for a moment. */
export async function retryOnce<T>(run: () => Promise<T>): Promise<T> {
	return await run().catch(run);
}

async function errorOf(promise: Promise<unknown>): Promise<Error | undefined> {
	return await promise.then(() => undefined).catch((error: Error) => error);
}
