import { randomInt, randomUUID } from 'crypto';
import { sleep, type DeduplicationMode, type IExecuteFunctions } from 'n8n-workflow';
import { inTurn } from '../inTurn';

/** A process that has the lock lets others have it after this time, even if more of its own tasks wait. */
const HOLD_MS = 300;
const POLL_MS = 20;
/** Long enough for a process that polls to come first. */
const YIELD_MS = 3 * POLL_MS;
/** A holder is dead if nothing about its lock has changed for this long. With the takeover: 15 seconds. */
const DEAD_AFTER_MS = 12_000;
const TAKEOVER_MS = 3_000;
/** How often the database may refuse a lock that nobody has. */
const MAX_FAILURES = 10;
const MAX_MARKS = 100;

/** A mode that no other node has: n8n lets none of them change our row, and us none of theirs. */
const MODE = 'candidateAssessmentLock' as string as DeduplicationMode;
const OPTIONS = { mode: MODE };
/** n8n compares modes by identity. An object equals none that is stored: n8n inserts a row, or throws. */
const INSERT_ONLY = { mode: Object(MODE) as DeduplicationMode };
/** An entry that n8n can't read: it compares the modes first, then fails, and has written nothing. */
const UNREADABLE = {
	toString() {
		throw new Error('This entry is not to be written');
	},
} as never;

export type LockContext = Pick<IExecuteFunctions, 'getWorkflow' | 'helpers'>;

/** What waits in this process for the lock of a workflow, and since when the process has it. */
const turns = new Map<string, { waiting: number; since?: number; mustYield?: boolean }>();

/**
 * Runs a task while no other process of n8n runs one for the same workflow, and none in this process.
 * The lock is the row of scope `workflow` in n8n's deduplication data: the database takes it once. A row
 * of a Remove Duplicates node stays as it is; then the lock holds in this process only. Throws what the
 * database refuses the lock with.
 */
export async function withLock<T>(context: LockContext, task: () => Promise<T>): Promise<T> {
	const id = String(context.getWorkflow().id);
	const turn = turns.get(id) ?? { waiting: 0 };
	turns.set(id, turn);
	turn.waiting++;
	return await inTurn(`memory of ${id}`, async () => {
		turn.waiting--;
		const lock = new WorkflowLock(context);
		try {
			if (turn.mustYield) await sleep(YIELD_MS);
			turn.mustYield = false;
			turn.since ??= (await lock.acquire()) ? performance.now() : undefined;
			return await task();
		} finally {
			const isLast = turn.waiting === 0;
			if (turn.since !== undefined && (isLast || performance.now() - turn.since > HOLD_MS)) {
				await lock.release(turn.since);
				turn.since = undefined;
				turn.mustYield = !isLast;
			}
			if (turn.waiting === 0) turns.delete(id);
		}
	});
}

/** The number of entries says who has the lock: it can be read without writing. */
class WorkflowLock {
	constructor(private readonly context: LockContext) {}

	/** Waits for the lock. False if the row belongs to a Remove Duplicates node. */
	async acquire(): Promise<boolean> {
		let seen = 0;
		let since = performance.now();
		for (let failures = 0; ; await sleep(POLL_MS * (1 + Math.random()))) {
			const refusal = await this.add(marks(), INSERT_ONLY).then(() => undefined, asError);
			if (!refusal) return true;
			if (await this.isForeign()) return false;
			const count = await this.count();
			if (count > 0) failures = 0;
			else if (isUnknownWorkflow(refusal) || ++failures === MAX_FAILURES) throw refusal;
			const isDead = count === seen && performance.now() - since > DEAD_AFTER_MS;
			if (isDead && (await this.takeOver(count))) return true;
			if (count !== seen || isDead) since = performance.now();
			seen = count;
		}
	}

	async release(since: number): Promise<void> {
		// After that, another process may have taken it over.
		if (performance.now() - since > DEAD_AFTER_MS || (await this.isForeign())) return;
		const { clearAllProcessedItems } = this.context.helpers;
		await twice(async () => await clearAllProcessedItems('workflow', OPTIONS)).catch(() => {});
	}

	/**
	 * Adds marks to a dead holder's. Of several processes, the last one to write is left with its marks
	 * and no others; who wrote in time and finds them so after all have written has the lock. The row is
	 * never deleted on the way: a new holder's could be hit.
	 */
	private async takeOver(seen: number): Promise<boolean> {
		const started = performance.now();
		if ((await this.count()) !== seen) return false;
		const mine = marks(10 * MAX_MARKS);
		await this.add(mine, OPTIONS);
		if (performance.now() - started > TAKEOVER_MS / 2) return false;
		await sleep(TAKEOVER_MS);
		if ((await this.count()) !== seen + mine.length) return false;
		return (await this.add([mine[0]], OPTIONS)).processed.length > 0;
	}

	private async add(entries: string[], options: typeof OPTIONS) {
		return await this.context.helpers.checkProcessedAndRecord(entries, 'workflow', options);
	}

	private async count(): Promise<number> {
		const { getProcessedDataCount } = this.context.helpers;
		return await twice(async () => await getProcessedDataCount('workflow', { mode: 'entries' }));
	}

	/** True if the row belongs to another node. Changes nothing. */
	private async isForeign(): Promise<boolean> {
		const refusal = await this.add([UNREADABLE], OPTIONS).then(() => undefined, asError);
		return refusal?.constructor.name === 'DeduplicationError';
	}
}

/** For a workflow that was never saved, or runs from an unsaved editor. */
export function isUnknownWorkflow(error: Error): boolean {
	return /foreign key/i.test(error.message);
}

/** Runs it again if it fails: the database may have been busy for a moment. */
export async function twice<T>(run: () => Promise<T>): Promise<T> {
	return await run().catch(run);
}

function marks(max = MAX_MARKS): string[] {
	const id = randomUUID();
	return Array.from({ length: randomInt(1, max) }, (_, index) => `${id} ${index}`);
}

function asError(error: Error): Error {
	return error;
}
