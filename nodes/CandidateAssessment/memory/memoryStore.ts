import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { isUnknownWorkflow, twice, withLock, type LockContext } from './workflowLock';

/** The oldest of more than these are forgotten. */
export const MAX_APPLICATIONS = 20_000;

/** Entries of what is under way, at most: for each request in flight, and each one claimed. */
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

	/** Adds entries, drops the oldest if there are too many, and gives those that were there. */
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
		// Accepted applications must not stay in doubt because the database was busy for a moment.
		await twice(async () => await removeProcessed(entries, 'node', OPTIONS));
	}

	/** Runs a task while nothing else uses the entries, in no process. */
	async exclusive<T>(task: () => Promise<T>): Promise<T> {
		if (!this.isPersistent) return await task();
		let hasStarted = false;
		const run = async () => {
			hasStarted = true;
			return await task();
		};
		return await withLock(this.context, run).catch(async (error: Error) => {
			if (hasStarted || !isUnknownWorkflow(error)) throw error;
			this.isPersistent = false;
			return await task();
		});
	}
}
