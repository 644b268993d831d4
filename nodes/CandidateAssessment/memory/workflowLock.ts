import { randomInt, randomUUID } from 'crypto';
import { sleep, type DeduplicationMode, type IExecuteFunctions } from 'n8n-workflow';
import { inTurn } from '../utils/inTurn';
import { errorOf, isOtherMode, isTaken, isUnknownWorkflow, twice } from './n8nDatabase';

/**
 * A lock that all processes of n8n share. It's a row in n8n's database, and its entries are marks; their number is
 * random, so another number is another holder. Why it works: docs/decisions/0015.
 *
 *   acquire    insert the row, with marks of its own: the database refuses all inserts but one
 *   wait       count the marks, and nothing else, until there are none
 *   release    delete the row
 *   bury       of a holder whose marks haven't changed for too long: announce it by adding many marks, wait, and
 *              delete the row if nobody else has changed it; the next to insert has the lock
 *   fence      a holder that stood still for too long can't write any more
 */

/** After this time a process lets others have the lock, even if more of its own tasks are waiting. */
const HOLD_MS = 300;
/** Between two looks at the row while holders come and go. The longer nothing changes, the longer. */
const POLL_MS = 20;
const MAX_POLL_MS = 1_000;
/** Long enough for a process that polls to be first. */
const YIELD_MS = 3 * POLL_MS;
/** For this long after taking the lock, a process may write. Wall-clock time: it runs on while the machine is suspended. */
const VALID_MS = 20_000;
/**
 * The last process that changed the row is dead if it hasn't changed for this long. So much longer, since what left a
 * process in time may arrive late: a packet that the network sends again takes up to half a minute.
 */
const DEAD_AFTER_MS = 60_000;
/**
 * A process that has announced that it will delete a dead holder's row waits this long before it does, and doesn't
 * if that takes it twice as long: then it's taken for dead itself. An announcement that takes half of it isn't written.
 */
const SETTLE_MS = 1_000;
/** So that not all processes that wait announce it at the same moment. */
const JITTER_MS = 10_000;
/** How many times in a row the database may refuse a free lock. */
const MAX_FAILURES = 10;
/** A holder's row never has more marks than this. An announcement adds more. */
const MAX_MARKS = 100;

/** No other node has this mode, so n8n keeps other nodes away from our row, and us from theirs. */
const MODE = 'candidateAssessmentLock' as string as DeduplicationMode;
const OPTIONS = { mode: MODE };
/** A String object is never identical to the stored mode, so n8n either inserts a row or throws; it never updates one. */
const INSERT_ONLY = { mode: Object(MODE) as DeduplicationMode };
/** An entry whose time is over. n8n compares the modes before it reads it, and then writes nothing. */
const UNREADABLE = fence('', -Infinity);

export type LockContext = Pick<IExecuteFunctions, 'getWorkflow' | 'helpers'>;

/** The tasks of this process for one workflow. They take turns, and keep the lock from one to the next. */
interface Queue {
	/** How many haven't begun. */
	waiting: number;
	/** Since when this process has held the lock, if it does. */
	heldSince?: number;
	/** Other processes come first now. */
	mustYield?: boolean;
}

/** By workflow, as long as it has tasks. */
const queues = new Map<string, Queue>();

/**
 * Runs a task while no other is running for the same workflow, in this or any other process of n8n. If a Remove
 * Duplicates node of scope `workflow` already has the lock's row, that stays as it is, and the lock holds in this
 * process only. Throws the database's error if it refuses the lock.
 * @param task gets the time since which the lock is held, for the fence around what it writes
 */
export async function withLock<T>(
	context: LockContext,
	task: (heldSince?: number) => Promise<T>,
): Promise<T> {
	const id = String(context.getWorkflow().id);
	const queue = queues.get(id) ?? { waiting: 0 };
	queues.set(id, queue);
	queue.waiting++;
	return await inTurn(`memory of ${id}`, async () => {
		queue.waiting--;
		const row = new LockRow(context);
		try {
			if (queue.mustYield) await sleep(YIELD_MS);
			queue.mustYield = false;
			queue.heldSince ??= await row.acquire();
			return await task(queue.heldSince);
		} finally {
			const { heldSince, waiting } = queue;
			if (heldSince !== undefined && (waiting === 0 || Date.now() - heldSince > HOLD_MS)) {
				await row.release(heldSince);
				queue.heldSince = undefined;
				queue.mustYield = waiting > 0;
			}
			if (queue.waiting === 0) queues.delete(id);
		}
	});
}

/**
 * An entry that can only be written while the lock is held for certain. n8n reads a row, makes a text of each
 * entry, and writes the row back: a process that stood still meanwhile overwrites nothing, since this throws.
 */
export function fence(entry: string, heldSince = Infinity, validMs = VALID_MS): string {
	const toString = () => {
		if (isValid(heldSince, validMs)) return entry;
		throw new Error('n8n or its database was too slow');
	};
	return { toString } as string;
}

function isValid(since: number, validMs = VALID_MS): boolean {
	return Date.now() - since < validMs;
}

/** The row that is the lock. */
class LockRow {
	constructor(private readonly context: LockContext) {}

	/** Waits for the lock. Gives the time since which it's held, or undefined if the row is another node's. */
	async acquire(): Promise<number | undefined> {
		let failures = 0;
		for (;;) {
			const since = Date.now();
			const marks = newMarks(2);
			const refusal = await errorOf(this.add(marks, INSERT_ONLY));
			if (!refusal) return since;
			if (await this.isForeign()) return undefined;
			if (!isTaken(refusal) && (await this.hasInserted(marks, since))) return since;
			if (isUnknownWorkflow(refusal) || ++failures === MAX_FAILURES) throw refusal;
			if (await this.waitWhileHeld()) failures = 0;
		}
	}

	/** Waits until the row has gone, or is another node's. False if it was gone from the start. */
	private async waitWhileHeld(): Promise<boolean> {
		let isHeld = false;
		let marks: number | undefined;
		let changedAt = Date.now();
		let deadAt = Infinity;
		for (;;) {
			const pause = Math.max(POLL_MS, (Date.now() - changedAt) / 20);
			await sleep(Math.min(MAX_POLL_MS, pause) * (1 + Math.random()));
			const countedAt = Date.now();
			const count = await this.count();
			if (count === 0) return isHeld;
			isHeld = true;
			if (count !== marks) {
				marks = count;
				// Counting may take long, so the time starts when it's known.
				changedAt = Date.now();
				deadAt = changedAt + DEAD_AFTER_MS + JITTER_MS * Math.random();
			} else if (countedAt > deadAt) {
				const isAnnounced = await this.bury(count);
				if (await this.isForeign()) return true;
				// By now it may be another holder's, with as many marks.
				if (isAnnounced) marks = undefined;
			}
		}
	}

	/** Tried once: a delete whose answer was lost may have worked, and the row may be another's by then. */
	async release(since: number): Promise<void> {
		if (!(await this.isForeign()) && isValid(since)) await errorOf(this.delete());
	}

	/**
	 * No delete asks whose row it is. So a process announces it first, by adding more marks than a holder has,
	 * which makes all others wait anew, and deletes the row only if nothing else has changed. False if it couldn't announce it.
	 */
	private async bury(count: number): Promise<boolean> {
		const since = Date.now();
		const [first, ...others] = newMarks(MAX_MARKS + 1);
		const marks = [fence(first, since, SETTLE_MS / 2), ...others];
		if (await errorOf(this.add(marks, OPTIONS))) return false;
		await sleep(SETTLE_MS);
		const isUnchanged = (await this.count()) === count + marks.length;
		if (isUnchanged && isValid(since, 2 * SETTLE_MS)) await this.delete();
		return true;
	}

	/** An insert whose answer was lost has worked if its first mark is there. */
	private async hasInserted(marks: string[], since: number): Promise<boolean> {
		if ((await this.count()) !== marks.length) return false;
		const { processed } = await this.add([fence(marks[0], since)], OPTIONS);
		// If it was another's row, which has gone meanwhile, this inserts a new one.
		return processed.length > 0 || (await this.count()) === 1;
	}

	/** Changes nothing. */
	private async isForeign(): Promise<boolean> {
		const refusal = await errorOf(this.add([UNREADABLE], OPTIONS));
		return refusal !== undefined && isOtherMode(refusal);
	}

	private async add(entries: string[], options: typeof OPTIONS) {
		return await this.context.helpers.checkProcessedAndRecord(entries, 'workflow', options);
	}

	/** n8n counts any row that has entries, but only if it's asked for this mode. */
	private async count(): Promise<number> {
		const { getProcessedDataCount } = this.context.helpers;
		return await twice(async () => await getProcessedDataCount('workflow', { mode: 'entries' }));
	}

	private async delete(): Promise<void> {
		await this.context.helpers.clearAllProcessedItems('workflow', OPTIONS);
	}
}

/** At least two: a row with only one mark was just inserted (see `hasInserted`). */
function newMarks(min: number): string[] {
	const id = randomUUID();
	const length = randomInt(min, min + MAX_MARKS - 1);
	return Array.from({ length }, (_, index) => `${id} ${index}`);
}
