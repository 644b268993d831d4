import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { inTurn } from '../inTurn';

/** The oldest of more than these are forgotten. */
export const MAX_APPLICATIONS = 20_000;

/** Entries of what is under way, at most: for each request in flight, and each one claimed. */
const MAX_OPEN = 200;

const OPTIONS: ICheckProcessedOptions = { mode: 'entries' };

export type MemoryStore = Pick<
	NodeMemoryStore,
	'id' | 'isPersistent' | 'add' | 'remove' | 'exclusive'
>;

/**
 * The entries of a node in n8n's database. n8n's helper reads them all and writes them back without a
 * lock; in this process they are used in turn.
 */
export class NodeMemoryStore {
	/** The same in every execution of the node. */
	readonly id: string;
	/** True if n8n has a workflow to keep the entries with. */
	isPersistent: boolean;

	constructor(
		private readonly context: Pick<IExecuteFunctions, 'getWorkflow' | 'getNode' | 'helpers'>,
	) {
		const { id } = context.getWorkflow();
		this.id = JSON.stringify([id, context.getNode().id]);
		this.isPersistent = Boolean(id);
	}

	/**
	 * Adds entries in one read-and-write, and gives those that were there: n8n's helper cannot just read.
	 * @param isLast then the oldest entries go if there are too many; before, that could take what is being claimed
	 */
	async add(entries: string[], isLast = false): Promise<Set<string>> {
		if (!this.isPersistent) return new Set();
		const { checkProcessedAndRecord } = this.context.helpers;
		const options = isLast ? { ...OPTIONS, maxEntries: MAX_APPLICATIONS + MAX_OPEN } : OPTIONS;
		const write = async () => await checkProcessedAndRecord([...new Set(entries)], 'node', options);
		// The first write of two processes can collide; the second attempt finds the row.
		const written = write().catch(write);
		const output = await written.catch(async (error: Error) => {
			// A workflow can have an ID and not be in the database, such as one that runs from an unsaved editor.
			this.isPersistent = !/foreign key/i.test(error.message);
			if (this.isPersistent) await Promise.reject(error);
		});
		return new Set((output?.processed ?? []) as string[]);
	}

	async remove(entries: string[]): Promise<void> {
		if (!this.isPersistent || entries.length === 0) return;
		const { removeProcessed } = this.context.helpers;
		const remove = async () => await removeProcessed(entries, 'node', OPTIONS);
		// Accepted applications must not stay in doubt because the database was busy for a moment.
		await remove().catch(remove);
	}

	/** Runs a task while no other task in this process uses the same entries. */
	async exclusive<T>(task: () => Promise<T>): Promise<T> {
		return await inTurn(`memory of ${this.id}`, task);
	}
}
