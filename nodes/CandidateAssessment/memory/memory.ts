import { sleep, type ICheckProcessedOptions, type IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome } from '../actions/operation';
import { NotSentError } from '../errors/ItemError';
import { maySend, type Claim } from './claim';
import { adviceOnFullColumn, isUnknownWorkflow, twice } from './n8nDatabase';
import { fence, withLock, type LockContext } from './workflowLock';

/** Beyond this number, the oldest claims are forgotten, even if they were skipped recently. */
export const MAX_APPLICATIONS = 20_000;

/** Room for the second entries of those that are claimed or in doubt. */
const MAX_IN_DOUBT = 2_000;

/** A crash during a lookup leaves at most this many in doubt. */
const LOOKUP_SIZE = 100;

const OPTIONS: ICheckProcessedOptions = { mode: 'entries' };

/** Recording is patient: a database that restarts must leave nobody in doubt who was invited. */
const RECORD_AGAIN_AFTER_MS = [1_000, 5_000, 20_000];

/**
 * The entries of an application in n8n's database:
 *
 *     new
 *     in doubt   known, doubt
 *     invited    known
 *
 * A lookup adds both entries first, so a crash can only leave it in doubt, even if it was invited.
 */
const known = ({ key }: Pick<Claim, 'key'>) => `k${key}`;
const doubt = ({ key }: Pick<Claim, 'key'>) => `o${key}`;
const both = (claim: Pick<Claim, 'key'>) => [known(claim), doubt(claim)];

/** What this process is sending, by node and key, until its outcome is recorded. */
const sending = new Set<string>();

/** What has become of a claim. */
interface Ending {
	/** Set once it was sent, or is given back. */
	outcome?: ItemOutcome['kind'];
	/** Recording it was tried, and may have worked: somebody else may have claimed it since. */
	mayBeRecorded?: boolean;
}

/**
 * What a node has sent, in n8n's database, and what one execution of it sends. n8n's helper reads all
 * entries and writes them back, so they are only used under a lock.
 */
export class Memory {
	/** False once n8n turns out to have no workflow to keep the entries with. */
	isPersistent: boolean;
	/** The same in every execution of the node. */
	private readonly nodeId: string;
	/** Claimed, and not recorded yet. */
	private readonly claimed = new Map<Claim, Ending>();
	private readonly settled: Claim[] = [];
	/** Since when this process has had the lock. */
	private heldSince?: number;

	constructor(private readonly context: LockContext & Pick<IExecuteFunctions, 'getNode'>) {
		const { id } = context.getWorkflow();
		this.nodeId = JSON.stringify([id, context.getNode().id]);
		this.isPersistent = Boolean(id);
	}

	/** Reads the states, and removes again what it has to add for that. Throws `NotSentError` if that fails. */
	async lookUp(claims: readonly Claim[]): Promise<void> {
		for (let start = 0; start < claims.length; start += LOOKUP_SIZE) {
			const some = claims.slice(start, start + LOOKUP_SIZE);
			await this.beforeSending(async () => await this.remove(await this.read(some)));
		}
	}

	/**
	 * Reads the states of those it hasn't claimed yet, claims what may be sent, and records earlier outcomes. Throws
	 * `NotSentError` if that fails.
	 */
	async claim(claims: readonly Claim[]): Promise<void> {
		const others = claims.filter((claim) => !this.claimed.has(claim));
		if (others.length === 0) return;
		await this.beforeSending(async () => {
			await this.record();
			const added = await this.read(others);
			const mine = others.filter(maySend);
			for (const claim of mine) {
				this.claimed.set(claim, {});
				sending.add(this.idOf(claim));
			}
			const kept = new Set(mine.flatMap(both));
			await this.remove(added.filter((entry) => !kept.has(entry)));
		});
	}

	/** What became of a claim, to be recorded with the next ones, or at the end. */
	setOutcome(claim: Claim, outcome: ItemOutcome['kind']): void {
		this.claimed.set(claim, { outcome });
	}

	/** If they are in doubt, they count as invited once the memory is closed. */
	settle(...claims: Claim[]): void {
		this.settled.push(...claims);
	}

	/** True if nothing is recorded. Changes nothing. */
	async isEmpty(): Promise<boolean> {
		if (!this.isPersistent) return false;
		const { getProcessedDataCount } = this.context.helpers;
		// If the database fails, what follows says so.
		return (await getProcessedDataCount('node', OPTIONS).catch(() => undefined)) === 0;
	}

	/** Records all outcomes, and gives back the claims that have none. Throws the database's error. */
	async close(): Promise<void> {
		for (const ending of this.claimed.values()) ending.outcome ??= 'notSent';
		if (this.claimed.size + this.settled.length === 0) return;
		const record = async () => {
			const isSending = (claim: Claim) => sending.has(this.idOf(claim));
			await this.remove(this.settled.filter((claim) => !isSending(claim)).map(doubt));
			await this.record();
		};
		try {
			await patiently(async () => await this.exclusive(record));
		} finally {
			this.forget([...this.claimed.keys()]);
		}
	}

	/** Sets the states. Gives the entries that weren't there: it has to add them to find out. */
	private async read(claims: readonly Claim[]): Promise<string[]> {
		const entries = claims.flatMap(both);
		const present = await this.add(entries);
		for (const claim of claims) {
			if (sending.has(this.idOf(claim))) claim.state = 'sending';
			else if (present.has(doubt(claim))) claim.state = 'inDoubt';
			else claim.state = present.has(known(claim)) ? 'invited' : 'new';
		}
		return entries.filter((entry) => !present.has(entry));
	}

	private async record(): Promise<void> {
		const ended = [...this.claimed].filter(([, { outcome }]) => outcome);
		const entries = ended.flatMap(([claim, ending]) => entriesToRemove(claim, ending));
		for (const [, ending] of ended) ending.mayBeRecorded = true;
		await this.remove(entries);
		this.forget(ended.map(([claim]) => claim));
	}

	private forget(ended: readonly Claim[]): void {
		for (const claim of ended) {
			this.claimed.delete(claim);
			sending.delete(this.idOf(claim));
		}
	}

	private idOf({ key }: Claim): string {
		return `${this.nodeId} ${key}`;
	}

	/** Adds entries, drops the oldest if there are too many, and returns those that were there. */
	private async add(entries: string[]): Promise<Set<string>> {
		if (!this.isPersistent || entries.length === 0) return new Set();
		const { checkProcessedAndRecord } = this.context.helpers;
		const options = { ...OPTIONS, maxEntries: MAX_APPLICATIONS + MAX_IN_DOUBT };
		const fenced = this.fenced(entries);
		const { processed } = await twice(
			async () => await checkProcessedAndRecord(fenced, 'node', options),
		);
		const present = new Set(processed);
		return new Set(entries.filter((_entry, index) => present.has(fenced[index])));
	}

	private async remove(entries: string[]): Promise<void> {
		if (!this.isPersistent || entries.length === 0) return;
		const { removeProcessed } = this.context.helpers;
		await twice(async () => await removeProcessed(this.fenced(entries), 'node', OPTIONS));
	}

	/** n8n writes none of them if one can't be read. */
	private fenced([first, ...others]: string[]): string[] {
		return [fence(first, this.heldSince), ...others];
	}

	private async beforeSending(task: () => Promise<void>): Promise<void> {
		await this.exclusive(task).catch((error: Error) => {
			const message = "Not sent: the node couldn't save its record in n8n's database";
			const advice = adviceOnFullColumn(error) ?? 'Run the workflow again.';
			const description = `${error.message}. Without that record, a candidate could be invited twice. ${advice}`;
			throw new NotSentError({ message, description });
		});
	}

	/** Runs a task while nothing else, in any process, uses the entries. */
	private async exclusive(task: () => Promise<void>): Promise<void> {
		if (!this.isPersistent) return await task();
		const locked = async (heldSince?: number) => {
			this.heldSince = heldSince;
			await task();
		};
		await withLock(this.context, locked).catch(async (error: Error) => {
			if (!isUnknownWorkflow(error)) throw error;
			this.isPersistent = false;
			await task();
		});
	}
}

/** The entries to remove when a claim's outcome is recorded. An unknown outcome leaves it in doubt. */
function entriesToRemove(claim: Claim, { outcome, mayBeRecorded }: Ending): string[] {
	if (outcome === 'succeeded') return [doubt(claim)];
	if (outcome === 'unknown' || mayBeRecorded) return [];
	if (claim.state === 'invited') return [doubt(claim)];
	return claim.state === 'inDoubt' ? [] : both(claim);
}

/** Tries again if it fails, for half a minute. */
async function patiently(record: () => Promise<void>): Promise<void> {
	for (const delay of RECORD_AGAIN_AFTER_MS) {
		try {
			return await record();
		} catch {
			await sleep(delay);
		}
	}
	await record();
}
