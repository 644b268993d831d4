import { createHash } from 'node:crypto';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

/**
 * Keeps what nodes have processed as n8n's own deduplicator does, which stands outside n8n-core: a
 * row for each node, read and written back whole and without a lock. In memory instead of a database,
 * and only in the mode `entries`.
 */
export class Deduplicator implements IDataDeduplicator {
	private rows = new Map<string, string>();
	private workflow = 1;
	/** How often entries were read and written for the latest workflow. */
	writes = 0;
	/** What the database fails with. */
	failure: Error | undefined;
	/** Which call fails, counted from 1 for the latest workflow. */
	failingCall: number | undefined;
	hasFailed = false;
	private calls = 0;
	/** Whether another process overwrites the next change with what it has read before. */
	overwritesNext = false;

	get workflowId(): string {
		return `w${this.workflow}`;
	}

	/** From now on workflows are new ones, which remember nothing. */
	startNewWorkflow(): void {
		this.workflow++;
		this.writes = 0;
		this.failure = undefined;
		this.failingCall = undefined;
		this.calls = 0;
		this.hasFailed = false;
	}

	/** As if so many other entries had come after those of the latest workflow. */
	addOthers(count: number): void {
		const [row, stored] = this.latest();
		const { mode, data } = JSON.parse(stored) as { mode: string; data: string[] };
		for (let other = 0; other < count; other++) data.push(hashOf(`other ${data.length}`));
		this.rows.set(row, JSON.stringify({ mode, data }));
	}

	/** What is stored for the latest workflow, as it would stand in the database. */
	dump(): string {
		return this.latest().join(' ');
	}

	private latest(): [string, string] {
		const found = [...this.rows].find(([row]) => this.isLatest(row));
		if (!found) throw new Error('Nothing is stored');
		return found;
	}

	private isLatest(row: string): boolean {
		return row.startsWith(`["${this.workflowId}"`);
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		{ mode, maxEntries }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		const row = rowOf(scope, context);
		const stored = await this.read(row);
		const hashes = items.map(hashOf);
		const known = new Set(stored);
		const data = [...(stored ?? []), ...hashes.filter((hash) => !known.has(hash))];
		if (maxEntries) data.splice(0, data.length - maxEntries);
		await this.write(row, mode, data, stored === undefined);
		return {
			new: items.filter((_item, index) => !known.has(hashes[index])),
			processed: items.filter((_item, index) => known.has(hashes[index])),
		};
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		{ mode }: ICheckProcessedOptions,
	): Promise<void> {
		const row = rowOf(scope, context);
		const data = await this.read(row);
		if (!data) return;
		for (const hash of items.map(hashOf)) {
			const index = data.indexOf(hash);
			if (index >= 0) data.splice(index, 1);
		}
		await this.write(row, mode, data, false);
	}

	async clearAllProcessedItems(): Promise<void> {
		throw new Error('Nothing is to clear what users have stored');
	}

	async getProcessedDataCount(): Promise<number> {
		throw new Error('Nothing asks for this');
	}

	private async read(row: string): Promise<string[] | undefined> {
		await sleep(0);
		if (this.failure) throw this.failure;
		if (++this.calls === this.failingCall) {
			this.hasFailed = true;
			throw new Error('SQLITE_BUSY: database is locked');
		}
		const stored = this.rows.get(row);
		return stored === undefined ? undefined : (JSON.parse(stored) as { data: string[] }).data;
	}

	private async write(row: string, mode: string, data: string[], isFirst: boolean): Promise<void> {
		await sleep(0);
		if (isFirst && this.rows.has(row)) throw new Error('UNIQUE constraint failed: processed_data');
		const stored = JSON.stringify({ mode, data });
		const isOverwritten = this.overwritesNext && stored !== this.rows.get(row);
		if (isOverwritten) this.overwritesNext = false;
		else this.rows.set(row, stored);
		if (this.isLatest(row)) this.writes++;
	}
}

function rowOf(scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData): string {
	if (!workflow.id) throw new Error('The expression evaluated to a falsy value');
	return JSON.stringify([workflow.id, scope === 'node' ? `n:${node?.id}` : '']);
}

function hashOf(item: DeduplicationItemTypes): string {
	return createHash('md5').update(item.toString()).digest('base64');
}
