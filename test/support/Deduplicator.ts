import { hash } from 'node:crypto';
import {
	sleep,
	type DeduplicationItemTypes,
	type DeduplicationScope,
	type ICheckProcessedContextData,
	type ICheckProcessedOptions,
	type IDataDeduplicator,
	type IExecuteFunctions,
} from 'n8n-workflow';

/** Names a statement: the row (`lock` is the workflow's), the helper that sends it, and the access. */
export type Statement =
	`${'lock' | 'record'}.${'add' | 'remove' | 'count' | 'clear'}.${'read' | 'write'}`;

type Query = <T>(statement: () => T, name: Statement) => Promise<T>;

/** Named like n8n's class: the package checks the name. */
class DeduplicationError extends Error {}

interface Value {
	mode: string;
	data: unknown;
}

/**
 * Stores processed items like n8n's deduplicator, which isn't in n8n-core, but in memory: a row for each node and
 * one for each workflow, read and written back whole and without a lock, in statements that may interleave.
 */
export class Deduplicator implements IDataDeduplicator {
	private workflow = 1;
	/** How often a node's entries were written. */
	writes = 0;
	/** Called before each statement: returns the database's error, if it fails. */
	failure: () => Error | undefined = () => undefined;

	/**
	 * @param rows shared by all processes
	 * @param query runs a statement in the database and resolves with its answer
	 */
	constructor(
		private readonly rows = new Map<string, string>(),
		private readonly query: Query = async (statement) => {
			await sleep(0);
			return statement();
		},
	) {}

	get workflowId(): string {
		return `w${this.workflow}`;
	}

	/** Deletes everything. The next workflow is new to all processes. */
	startNewWorkflow(): void {
		this.workflow++;
		this.rows.clear();
		this.writes = 0;
		this.failure = () => undefined;
	}

	/** Adds this many other entries after those in the row. */
	addOthers(count: number, row = [...this.rows.keys()][0]): void {
		const { mode, data } = this.valueOf(row) as { mode: string; data: string[] };
		for (let other = 0; other < count; other++) data.push(hashOf(`other ${data.length}`));
		this.rows.set(row, JSON.stringify({ mode, data }));
	}

	/** Everything stored, as it would be in the database. */
	dump(): string {
		return [...this.rows].join(' ');
	}

	/** A row's value, if there is one. */
	valueOf(row: string): Value | undefined {
		return JSON.parse(this.rows.get(row) ?? 'null') ?? undefined;
	}

	/** The helpers of a node. */
	helpersOf(workflow: string, node: string): IExecuteFunctions['helpers'] {
		const context = {
			workflow: { id: workflow },
			node: { id: node },
		} as ICheckProcessedContextData;
		return {
			checkProcessedAndRecord: async (items, scope, options) =>
				await this.checkProcessedAndRecord(items, scope, context, options),
			removeProcessed: async (items, scope) => await this.removeProcessed(items, scope, context),
			clearAllProcessedItems: async (scope) => await this.clearAllProcessedItems(scope, context),
			getProcessedDataCount: async (scope) => await this.getProcessedDataCount(scope, context),
		} as Partial<IExecuteFunctions['helpers']> as IExecuteFunctions['helpers'];
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		{ mode, maxEntries }: ICheckProcessedOptions,
	) {
		const row = rowIn(scope, context);
		const stored = await this.select(row, 'add');
		if (stored && stored.mode !== mode) throw new DeduplicationError('Incompatible setting');
		if (mode === 'latestIncrementalKey') {
			const before = (stored?.data ?? -Infinity) as number;
			const data = Math.max(...items.map(Number), before);
			await this.write(row, 'add', { mode, data }, !stored);
			return { new: items.filter((item) => Number(item) > before), processed: [] };
		}
		const hashes = items.map(hashOf);
		const before = (stored?.data ?? []) as string[];
		const known = new Set(before);
		const isNew = (_item: unknown, index: number) => !known.has(hashes[index]);
		const data = [...before, ...hashes.filter(isNew)];
		if (maxEntries) data.splice(0, data.length - maxEntries);
		await this.write(row, 'add', { mode, data }, !stored);
		const processed = items.filter((item, index) => !isNew(item, index));
		return { new: items.filter(isNew), processed };
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	) {
		const row = rowIn(scope, context);
		const stored = await this.select(row, 'remove');
		if (!Array.isArray(stored?.data)) return;
		for (const entry of items.map(hashOf)) {
			const index = stored.data.indexOf(entry);
			if (index >= 0) stored.data.splice(index, 1);
		}
		await this.write(row, 'remove', stored, false);
	}

	async clearAllProcessedItems(scope: DeduplicationScope, context: ICheckProcessedContextData) {
		const row = rowIn(scope, context);
		await this.run(row, 'clear', 'write', () => this.rows.delete(row));
	}

	async getProcessedDataCount(scope: DeduplicationScope, context: ICheckProcessedContextData) {
		const stored = await this.select(rowIn(scope, context), 'count');
		return Array.isArray(stored?.data) ? stored.data.length : 0;
	}

	private async select(row: string, helper: Helper): Promise<Value | undefined> {
		return await this.run(row, helper, 'read', () => this.valueOf(row));
	}

	private async write(row: string, helper: Helper, value: Value, isInsert: boolean): Promise<void> {
		await this.run(row, helper, 'write', () => {
			const isThere = this.rows.has(row);
			if (isInsert && isThere) throw new Error('UNIQUE constraint failed: processed_data');
			if (isInsert || isThere) this.rows.set(row, JSON.stringify(value));
			if (!isLock(row)) this.writes++;
		});
	}

	private async run<T>(
		row: string,
		helper: Helper,
		does: 'read' | 'write',
		statement: () => T,
	): Promise<T> {
		const run = () => {
			const failure = this.failure();
			if (failure) throw failure;
			return statement();
		};
		return await this.query(run, `${isLock(row) ? 'lock' : 'record'}.${helper}.${does}`);
	}
}

type Helper = 'add' | 'remove' | 'count' | 'clear';

const isLock = (row: string) => row.endsWith('""]');

function rowIn(scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData): string {
	if (!workflow.id) throw new Error('The expression evaluated to a falsy value');
	return rowOf(workflow.id, scope === 'node' ? node?.id : undefined);
}

/** The row of a node, or without a node, of the whole workflow. */
export function rowOf(workflow: string, node?: string): string {
	return JSON.stringify([workflow, node === undefined ? '' : `n:${node}`]);
}

function hashOf(item: DeduplicationItemTypes): string {
	return hash('md5', item.toString(), 'base64');
}
