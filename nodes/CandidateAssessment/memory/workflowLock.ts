import { randomInt, randomUUID } from 'crypto';
import { sleep, type DeduplicationMode, type IExecuteFunctions } from 'n8n-workflow';
import { inTurn } from '../inTurn';

/** After this time a process lets others have the lock, even if more of its own tasks are waiting. */
const HOLD_MS = 300;
const POLL_MS = 20;
/** Long enough for a process that polls to be first. */
const YIELD_MS = 3 * POLL_MS;
/** A holder is dead if nothing about its lock has changed for this long. With the takeover: 15 seconds. */
const DEAD_AFTER_MS = 12_000;
const TAKEOVER_MS = 3_000;
/** How many times in a row the database may refuse a free lock. */
const MAX_FAILURES = 10;
const MAX_MARKS = 100;

/** No other node has this mode, so n8n keeps other nodes away from our row, and us from theirs. */
const MODE = 'candidateAssessmentLock' as string as DeduplicationMode;
const OPTIONS = { mode: MODE };
/** n8n compares modes by identity. An object equals no stored mode, so n8n inserts a row or throws. */
const INSERT_ONLY = { mode: Object(MODE) as DeduplicationMode };
/** An entry that n8n can't read: after comparing the modes, it fails without writing anything. */
const UNREADABLE = {
	toString() {
		throw new Error('This entry is not to be written');
	},
} as never;

export type LockContext = Pick<IExecuteFunctions, 'getWorkflow' | 'helpers'>;

/** By workflow: how many tasks of this process are waiting, and when it got the lock. */
const turns = new Map<string, { waiting: number; since?: number; mustYield?: boolean }>();

/**
 * Runs a task while no other is running for the same workflow, in this or any other process of n8n.
 * The lock is the row of scope `workflow` in n8n's deduplication data, which the database inserts only
 * once. If a Remove Duplicates node already has that row, it stays as it is, and the lock holds in this
 * process only. Throws the database's error if it refuses the lock.
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

/** The number of entries identifies the holder: it can be read without writing. */
class WorkflowLock {
	constructor(private readonly context: LockContext) {}

	/** Waits for the lock. False if the row belongs to a Remove Duplicates node. */
	async acquire(): Promise<boolean> {
		let seen = 0;
		let since = performance.now();
		for (let failures = 0; ; await sleep(POLL_MS * (1 + Math.random()))) {
			const insertion = this.add(marks(), INSERT_ONLY);
			const refusal = await insertion.then(
				() => undefined,
				(error: Error) => error,
			);
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
		// By then, another process may have taken it over.
		if (performance.now() - since > DEAD_AFTER_MS || (await this.isForeign())) return;
		const { clearAllProcessedItems } = this.context.helpers;
		await twice(async () => await clearAllProcessedItems('workflow', OPTIONS)).catch(() => {});
	}

	/**
	 * Adds marks to those of a dead holder. If several processes do so, at most one wins:
	 * the one that wrote in time, and later finds its own marks and no others. The row is
	 * never deleted along the way: it could be a new holder's.
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
		const result = await this.add([UNREADABLE], OPTIONS).catch((error: Error) => error);
		return result.constructor.name === 'DeduplicationError';
	}
}

/** For a workflow that was never saved, or runs from an unsaved editor. */
export function isUnknownWorkflow(error: Error): boolean {
	return /foreign key/i.test(error.message);
}

/** Retries once: the database may have been busy for a moment. */
export async function twice<T>(run: () => Promise<T>): Promise<T> {
	return await run().catch(run);
}

function marks(max = MAX_MARKS): string[] {
	const id = randomUUID();
	return Array.from({ length: randomInt(1, max) }, (_, index) => `${id} ${index}`);
}
