import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { ENTRIES_PER_APPLICATION, type MemoryStore } from './memory';

const MAX_APPLICATIONS = 10_000;

/** The claims of a group stand before the records of the last one, and so go earlier. */
const MAX_OPEN = 200;

const OPTIONS: ICheckProcessedOptions = { mode: 'entries' };
const TRIMMING: ICheckProcessedOptions = {
	...OPTIONS,
	maxEntries: ENTRIES_PER_APPLICATION * (MAX_APPLICATIONS + MAX_OPEN),
};

/** The entries of this node in n8n's database. */
export class NodeMemoryStore implements MemoryStore {
	private readonly owner: string;
	/** Stands in for the database if n8n has no workflow to keep the entries with. */
	private unsaved: Set<string> | undefined;

	constructor(private readonly context: IExecuteFunctions) {
		const { id } = context.getWorkflow();
		this.owner = JSON.stringify([id, context.getNode().id]);
		if (!id) this.unsaved = new Set();
	}

	get isPersistent(): boolean {
		return !this.unsaved;
	}

	async add(entries: string[]): Promise<Set<string>> {
		return await this.write(entries, OPTIONS);
	}

	async addAndTrim(entries: string[]): Promise<Set<string>> {
		return await this.write(entries, TRIMMING);
	}

	async remove(entries: string[]): Promise<void> {
		if (this.unsaved) for (const entry of entries) this.unsaved.delete(entry);
		else await this.context.helpers.removeProcessed(entries, 'node', OPTIONS);
	}

	async exclusive<T>(task: () => Promise<T>): Promise<T> {
		return await inTurn(this.owner, task);
	}

	private async write(entries: string[], options: ICheckProcessedOptions): Promise<Set<string>> {
		if (!this.unsaved) {
			const processed = await this.writeToDatabase(entries, options);
			if (processed) return new Set(processed);
			this.unsaved = new Set();
		}
		const { unsaved } = this;
		const known = new Set(entries.filter((entry) => unsaved.has(entry)));
		for (const entry of entries) unsaved.add(entry);
		return known;
	}

	/** The entries that were there; undefined if n8n's database does not know the workflow. */
	private async writeToDatabase(
		entries: string[],
		options: ICheckProcessedOptions,
	): Promise<string[] | undefined> {
		const write = async () =>
			await this.context.helpers.checkProcessedAndRecord(entries, 'node', options);
		// The first write of two processes can collide; the second attempt finds the row.
		return await write()
			.catch(write)
			.then(
				({ processed }) => processed as string[],
				async (error: Error) =>
					isWorkflowMissing(error) ? undefined : await Promise.reject(error),
			);
	}
}

/** A workflow can have an ID and not be in the database, such as one that runs from an unsaved editor. */
function isWorkflowMissing({ message }: Error): boolean {
	return /foreign key/i.test(message);
}

const turns = new Map<string, Promise<unknown>>();

/** Runs the tasks of one owner one after the other. n8n's helper reads and writes back without a lock. */
export async function inTurn<T>(owner: string, task: () => Promise<T>): Promise<T> {
	const before = turns.get(owner) ?? Promise.resolve();
	const mine = before.then(task, task);
	turns.set(owner, mine);
	try {
		return await mine;
	} finally {
		if (turns.get(owner) === mine) turns.delete(owner);
	}
}
