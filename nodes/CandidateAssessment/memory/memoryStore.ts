import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { isUnknownWorkflow, twice, withLock, type LockContext } from './workflowLock';

/** Beyond this number, the oldest are forgotten. */
export const MAX_APPLICATIONS = 20_000;

/** The most entries of requests under way: those in flight, and those claimed ahead. */
const MAX_OPEN = 200;

const OPTIONS: ICheckProcessedOptions = { mode: 'entries' };

/**
 * The entries of a node in n8n's database. n8n's helper reads them all and writes them back, so they are
 * only used under a lock: see `exclusive`.
 */
export class NodeMemoryStore {
	/** The same in every execution of the node. */
	readonly id: string;
	/** True if n8n has a workflow to keep the entries with. */
	isPersistent: boolean;

	constructor(private readonly context: LockContext & Pick<IExecuteFunctions, 'getNode'>) {
		const { id } = context.getWorkflow();
		this.id = JSON.stringify([id, context.getNode().id]);
		this.isPersistent = Boolean(id);
	}

	/** Adds entries, drops the oldest if there are too many, and returns those that were there. */
	async add(entries: string[]): Promise<Set<string>> {
		if (!this.isPersistent || entries.length === 0) return new Set();
		const { checkProcessedAndRecord } = this.context.helpers;
		const options = { ...OPTIONS, maxEntries: MAX_APPLICATIONS + MAX_OPEN };
		const { processed } = await twice(
			async () => await checkProcessedAndRecord(entries, 'node', options),
		);
		return new Set(processed as string[]);
	}

	async remove(entries: string[]): Promise<void> {
		if (!this.isPersistent || entries.length === 0) return;
		const { removeProcessed } = this.context.helpers;
		// A moment in which the database is busy must not leave accepted applications in doubt.
		await twice(async () => await removeProcessed(entries, 'node', OPTIONS));
	}

	/** Runs a task while nothing else, in any process, uses the entries. */
	async exclusive<T>(task: () => Promise<T>): Promise<T> {
		if (!this.isPersistent) return await task();
		return await withLock(this.context, task).catch(async (error: Error) => {
			if (!isUnknownWorkflow(error)) throw error;
			this.isPersistent = false;
			return await task();
		});
	}
}
