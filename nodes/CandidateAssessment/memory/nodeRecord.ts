import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { twice } from './n8nDatabase';
import { withLock, type Fence, type LockContext } from './workflowLock';

/** Beyond this number, the oldest are forgotten, even if they were skipped recently. */
export const MAX_APPLICATIONS = 20_000;

/** Room for the second entries of those that are claimed or in doubt. */
const MAX_IN_DOUBT = 2_000;

const OPTIONS: ICheckProcessedOptions = { mode: 'entries' };

export type RecordContext = LockContext & Pick<IExecuteFunctions, 'getNode'>;

/** What one execution wants of its node's record, while nothing else uses it. */
export interface Turn {
	/** Gives the entries to remove first: those of what has ended by then. */
	record(): string[];
	/** They have been removed. */
	onRecorded(): void;
	/** The entries to look for. n8n tells only by adding them which were there. */
	ask: readonly string[];
	/** Gets the entries that were there, and gives those to keep. All others that were added are removed again. */
	answer(present: ReadonlySet<string>): string[];
}

/** Turns that begin together. */
interface Group {
	turns: Turn[];
	committed: Promise<void>;
}

/** By node: the group that waits for the lock. */
const waiting = new Map<string, Group>();

/** The same in every execution of the node. */
export function nodeIdOf(context: Pick<RecordContext, 'getWorkflow' | 'getNode'>): string {
	return JSON.stringify([context.getWorkflow().id, context.getNode().id]);
}

/**
 * Takes a turn on the node's record in n8n's database, together with all others that wait in this process by then
 * (group commit): n8n's helper reads and writes the whole record each time, so many executions cost as much as one. If
 * that fails, it fails for all of them. Throws the database's error.
 */
export async function takeTurn(context: RecordContext, turn: Turn): Promise<void> {
	const id = nodeIdOf(context);
	const group = waiting.get(id) ?? newGroup(id, context);
	group.turns.push(turn);
	await group.committed;
}

function newGroup(id: string, context: RecordContext): Group {
	const turns: Turn[] = [];
	const close = () => {
		if (waiting.get(id)?.turns === turns) waiting.delete(id);
	};
	const committed = withLock(context, async (fence) => {
		close();
		await commit(context, turns, fence);
		// The lock may have been refused.
	}).finally(close);
	const group = { turns, committed };
	waiting.set(id, group);
	return group;
}

/** Takes the turns in their order: what one gives back, another may have. */
async function commit(
	{ helpers }: RecordContext,
	turns: readonly Turn[],
	fence: Fence,
): Promise<void> {
	const remove = async (entries: string[]) => {
		if (entries.length === 0) return;
		await twice(async () => await helpers.removeProcessed(fence(entries), 'node', OPTIONS));
	};
	await remove(turns.flatMap((turn) => turn.record()));
	for (const turn of turns) turn.onRecorded();
	const asked = [...new Set(turns.flatMap(({ ask }) => ask))];
	const present = await add(helpers, asked, fence);
	const kept = new Set(turns.flatMap((turn) => turn.answer(present)));
	await remove(asked.filter((entry) => !present.has(entry) && !kept.has(entry)));
}

/** Drops the oldest entries if there are too many. Gives those that were there. */
async function add(
	helpers: RecordContext['helpers'],
	entries: readonly string[],
	fence: Fence,
): Promise<ReadonlySet<string>> {
	if (entries.length === 0) return new Set();
	const options = { ...OPTIONS, maxEntries: MAX_APPLICATIONS + MAX_IN_DOUBT };
	const fenced = fence(entries);
	const { processed } = await twice(
		async () => await helpers.checkProcessedAndRecord(fenced, 'node', options),
	);
	const present = new Set(processed);
	return new Set(entries.filter((_entry, index) => present.has(fenced[index])));
}

/** True if nothing is recorded. Changes nothing. */
export async function isRecordEmpty({ helpers }: RecordContext): Promise<boolean> {
	// If the database fails, what follows says so.
	const count = await helpers.getProcessedDataCount('node', OPTIONS).catch(() => undefined);
	return count === 0;
}
