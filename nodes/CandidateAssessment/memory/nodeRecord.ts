import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { MAX_APPLICATIONS, MAX_IN_DOUBT } from './limits';
import { retryOnce, takeLock, type Lock, type LockContext } from './lock/workflowLock';

const OPTIONS: ICheckProcessedOptions = { mode: 'entries' };

export type RecordContext = LockContext & Pick<IExecuteFunctions, 'getNode'>;

/** The same in every execution of the node. */
export function nodeIdOf(context: Pick<RecordContext, 'getWorkflow' | 'getNode'>): string {
	return JSON.stringify([context.getWorkflow().id, context.getNode().id]);
}

/** A node's record in n8n's database, which is locked first. All throw the database's error. */
export class NodeRecord {
	private held?: Lock;

	constructor(private readonly context: RecordContext) {}

	/** False if n8n has no workflow to keep the record with: then it stays empty. */
	get isKept(): boolean {
		return this.held !== undefined;
	}

	async lock(): Promise<void> {
		this.held = await takeLock(this.context);
	}

	async unlock(): Promise<void> {
		await this.held?.release();
	}

	/** Drops the oldest entries if there are too many. @returns those that were there, which n8n tells only by adding them */
	async add(entries: readonly string[]): Promise<ReadonlySet<string>> {
		const { held } = this;
		if (!held || entries.length === 0) return new Set();
		const options = { ...OPTIONS, maxEntries: MAX_APPLICATIONS + MAX_IN_DOUBT };
		const { checkProcessedAndRecord: add } = this.context.helpers;
		const fenced = held.fence(entries);
		const { processed } = await retryOnce(async () => await add(fenced, 'node', options));
		const present = new Set(processed);
		return new Set(entries.filter((_entry, index) => present.has(fenced[index])));
	}

	async remove(entries: readonly string[]): Promise<void> {
		const { held } = this;
		if (!held || entries.length === 0) return;
		const { removeProcessed } = this.context.helpers;
		await retryOnce(async () => await removeProcessed(held.fence(entries), 'node', OPTIONS));
	}
}

/** True if the node remembers nobody. Changes nothing. */
export async function isRecordEmpty({ helpers }: RecordContext): Promise<boolean> {
	// If the database fails, the next call says so.
	const count = await helpers.getProcessedDataCount('node', OPTIONS).catch(() => undefined);
	return count === 0;
}
