import { sleep, type ICheckProcessedOptions, type IExecuteFunctions } from 'n8n-workflow';
import { ENTRIES_PER_APPLICATION, type MemoryStore } from './memory';
import { UnsettledEntries } from './unsettledEntries';

const MAX_APPLICATIONS = 10_000;

/** The claims of a group stand before the records of the last one, and so go earlier. */
const MAX_OPEN = 200;

const OPTIONS: ICheckProcessedOptions = { mode: 'entries' };
const TRIMMING: ICheckProcessedOptions = {
	...OPTIONS,
	maxEntries: ENTRIES_PER_APPLICATION * (MAX_APPLICATIONS + MAX_OPEN),
};

/** Looks that fail one after the other, in at least twenty seconds, until no more follow. */
const MAX_FAILURES = 20;

/** What this process has to do with the entries of one node. */
class SharedEntries {
	readonly unsettled = new UnsettledEntries();
	isWatched = false;
	/** Whoever wrote last can look again. To keep another one would keep an execution that is over. */
	lastWriter: Pick<MemoryStore, 'add'> | undefined;
	private turn: Promise<unknown> = Promise.resolve();
	private tasks = 0;

	/** Runs tasks one after the other. */
	async inTurn<T>(task: () => Promise<T>): Promise<T> {
		this.tasks++;
		const mine = this.turn.then(task, task);
		this.turn = mine;
		try {
			return await mine;
		} finally {
			this.tasks--;
		}
	}

	get isIdle(): boolean {
		return this.tasks === 0 && this.unsettled.size === 0;
	}
}

const sharedByNode = new Map<string, SharedEntries>();

/** Looks again at what was written, where nothing else writes it by the way. */
async function settle(node: string, shared: SharedEntries): Promise<void> {
	if (shared.isWatched) return;
	shared.isWatched = true;
	const { unsettled } = shared;
	let failures = 0;
	while (unsettled.size > 0 && failures < MAX_FAILURES) {
		await sleep(unsettled.pause * (1 + failures));
		if (!unsettled.needLook(Date.now())) continue;
		await shared
			.inTurn(async () => await shared.lastWriter?.add([]))
			.then(
				() => (failures = 0),
				() => failures++,
			);
	}
	// Without the database there is nothing to settle.
	unsettled.clear();
	shared.isWatched = false;
	if (shared.isIdle) sharedByNode.delete(node);
}

/**
 * The entries of a node in n8n's database. n8n's helper reads them all and writes them back without a
 * lock. In this process they are used in turn. What another process has overwritten is written again,
 * with what comes next or a moment later.
 */
export class NodeMemoryStore implements MemoryStore {
	private readonly node: string;
	/** Stands in for the database if n8n has no workflow to keep the entries with. */
	private unsaved: Set<string> | undefined;

	constructor(
		private readonly context: Pick<IExecuteFunctions, 'getWorkflow' | 'getNode' | 'helpers'>,
	) {
		const { id } = context.getWorkflow();
		this.node = JSON.stringify([id, context.getNode().id]);
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
		for (const entry of entries) {
			this.unsaved?.delete(entry);
			this.shared.unsettled.delete(entry);
		}
		if (this.unsaved) return;
		const { removeProcessed } = this.context.helpers;
		const remove = async () => await removeProcessed(entries, 'node', OPTIONS);
		// Half of what belongs together must not stay because the database was busy for a moment.
		await remove().catch(remove);
	}

	async exclusive<T>(task: () => Promise<T>): Promise<T> {
		const { shared } = this;
		try {
			return await shared.inTurn(task);
		} finally {
			void settle(this.node, shared);
		}
	}

	private get shared(): SharedEntries {
		const shared = sharedByNode.get(this.node) ?? new SharedEntries();
		sharedByNode.set(this.node, shared);
		return shared;
	}

	private async write(entries: string[], options: ICheckProcessedOptions): Promise<Set<string>> {
		if (!this.unsaved) {
			const known = await this.writeToDatabase(entries, options);
			if (known) return known;
			this.unsaved = new Set();
		}
		const { unsaved } = this;
		const known = new Set(entries.filter((entry) => unsaved.has(entry)));
		for (const entry of entries) unsaved.add(entry);
		return known;
	}

	/** The entries that were there. Undefined if n8n's database does not know the workflow. */
	private async writeToDatabase(
		entries: string[],
		options: ICheckProcessedOptions,
	): Promise<Set<string> | undefined> {
		const { shared } = this;
		const { unsettled } = shared;
		const readAt = Date.now();
		const all = [...new Set([...entries, ...unsettled.toWriteAgain(readAt)])];
		const { checkProcessedAndRecord } = this.context.helpers;
		const write = async () => await checkProcessedAndRecord(all, 'node', options);
		// The first write of two processes can collide; the second attempt finds the row.
		const output = await write().catch(write).catch(undefinedIfUnsaved);
		if (!output) {
			unsettled.clear();
			return undefined;
		}
		shared.lastWriter = this;
		const found = new Set(output.processed as string[]);
		const known = new Set(entries.filter((entry) => found.has(entry) || unsettled.has(entry)));
		const writtenAt = Date.now();
		for (const entry of all) unsettled.onWritten(entry, found.has(entry), readAt, writtenAt);
		return known;
	}
}

/** A workflow can have an ID and not be in the database, such as one that runs from an unsaved editor. */
async function undefinedIfUnsaved(error: Error): Promise<undefined> {
	if (!/foreign key/i.test(error.message)) await Promise.reject(error);
}
