import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { inTurn } from '../transport/inTurn';
import { MAX_APPLICATIONS, MAX_OPEN, type MemoryStore } from './memory';

const OPTIONS: ICheckProcessedOptions = { mode: 'entries' };

/**
 * The entries of a node in n8n's database. n8n's helper reads them all and writes them back without a
 * lock; in this process they are used in turn.
 */
export class NodeMemoryStore implements MemoryStore {
	/** Stands in for the database if n8n has no workflow to keep the entries with. */
	private unsaved: Set<string> | undefined;

	constructor(
		private readonly context: Pick<IExecuteFunctions, 'getWorkflow' | 'getNode' | 'helpers'>,
	) {
		if (!context.getWorkflow().id) this.unsaved = new Set();
	}

	get isPersistent(): boolean {
		return !this.unsaved;
	}

	async add(entries: string[], isLast = false): Promise<Set<string>> {
		const { checkProcessedAndRecord } = this.context.helpers;
		const all = [...new Set(entries)];
		// Not before: that could take what is being claimed.
		const options = isLast ? { ...OPTIONS, maxEntries: MAX_APPLICATIONS + MAX_OPEN } : OPTIONS;
		const write = async () => await checkProcessedAndRecord(all, 'node', options);
		// The first write of two processes can collide; the second attempt finds the row.
		const output = this.unsaved ? undefined : await write().catch(write).catch(undefinedIfUnsaved);
		if (output) return new Set(output.processed as string[]);
		const unsaved = (this.unsaved ??= new Set());
		const found = new Set(all.filter((entry) => unsaved.has(entry)));
		for (const entry of all) unsaved.add(entry);
		return found;
	}

	async remove(entries: string[]): Promise<void> {
		if (this.unsaved) {
			for (const entry of entries) this.unsaved.delete(entry);
			return;
		}
		const { removeProcessed } = this.context.helpers;
		const remove = async () => await removeProcessed(entries, 'node', OPTIONS);
		// What was accepted must not stay in doubt because the database was busy for a moment.
		await remove().catch(remove);
	}

	async exclusive<T>(task: () => Promise<T>): Promise<T> {
		const { context } = this;
		const node = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
		return await inTurn(`memory of ${node}`, task);
	}
}

/** A workflow can have an ID and not be in the database, such as one that runs from an unsaved editor. */
async function undefinedIfUnsaved(error: Error): Promise<undefined> {
	if (!/foreign key/i.test(error.message)) await Promise.reject(error);
}
