import { sleep, type ICheckProcessedOptions, type IExecuteFunctions } from 'n8n-workflow';
import { ItemError } from '../errors/ItemError';
import { maySend, type Claim } from './claim';
import { fence, isUnknownWorkflow, twice, withLock, type LockContext } from './workflowLock';

/** Beyond this number, the oldest claims are forgotten, even if they were skipped recently. */
export const MAX_APPLICATIONS = 20_000;

/** Room for the second entries of those that are claimed or in doubt. */
const MAX_IN_DOUBT = 2_000;

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

/**
 * What a node has sent, in n8n's database, and what one execution of it sends. n8n's helper reads all
 * entries and writes them back, so they are only used under a lock.
 */
export class Memory {
	/** False once n8n turns out to have no workflow to keep the entries with. */
	isPersistent: boolean;
	/** The same in every execution of the node. */
	private readonly nodeId: string;
	/** Claimed, and the outcome not yet recorded. */
	private readonly claimed = new Set<Claim>();
	/** Since when this process has had the lock. */
	private heldSince?: number;

	constructor(private readonly context: LockContext & Pick<IExecuteFunctions, 'getNode'>) {
		const { id } = context.getWorkflow();
		this.nodeId = JSON.stringify([id, context.getNode().id]);
		this.isPersistent = Boolean(id);
	}

	/** Reads the states, and removes again what it has to add for that. Throws `ItemError` if that fails. */
	async lookUp(claims: readonly Claim[]): Promise<void> {
		await this.beforeSending(claims, async () => await this.remove(await this.read(claims)));
	}

	/** Reads the states, claims what may be sent, and records earlier outcomes. Throws `ItemError` if that fails. */
	async claim(claims: readonly Claim[]): Promise<void> {
		await this.beforeSending(claims, async () => {
			await this.record();
			const added = await this.read(claims);
			const mine = claims.filter(maySend);
			for (const claim of mine) {
				this.claimed.add(claim);
				sending.add(this.idOf(claim));
			}
			const kept = new Set(mine.flatMap(both));
			await this.remove(added.filter((entry) => !kept.has(entry)));
		});
	}

	/**
	 * Records all outcomes, and gives back the claims that have none. Throws the database's error.
	 * @param settled in doubt, but counted as invited from now on
	 */
	async close(settled: readonly Claim[]): Promise<void> {
		for (const claim of this.claimed) claim.outcome ??= 'notSent';
		const record = async () => {
			const isSending = (claim: Claim) => sending.has(this.idOf(claim));
			await this.remove(settled.filter((claim) => !isSending(claim)).map(doubt));
			await this.record();
		};
		if (this.claimed.size + settled.length === 0) return;
		let recording = this.exclusive(record);
		for (const delay of RECORD_AGAIN_AFTER_MS) {
			recording = recording.catch(async () => {
				await sleep(delay);
				await this.exclusive(record);
			});
		}
		await recording.finally(() => this.forget([...this.claimed]));
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
		const ended = [...this.claimed].filter(({ outcome }) => outcome);
		const entries = ended.flatMap(entriesToRemove);
		for (const claim of ended) claim.mayBeRecorded = true;
		await this.remove(entries);
		this.forget(ended);
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

	/** One that can't be written is enough to stop n8n. */
	private fenced([first, ...others]: string[]): string[] {
		return [fence(first, this.heldSince), ...others];
	}

	private async beforeSending(claims: readonly Claim[], task: () => Promise<void>): Promise<void> {
		if (claims.length === 0) return;
		await this.exclusive(task).catch((error: Error) => {
			const message = "Not sent: the node couldn't remember it in n8n's database";
			const description = `${error.message}. If it sent anyway, a candidate could be invited twice.`;
			throw new ItemError({ message, description }, 'notSent');
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
function entriesToRemove(claim: Claim): string[] {
	const { state, outcome, mayBeRecorded } = claim;
	if (outcome === 'succeeded') return [doubt(claim)];
	if (outcome === 'unknown' || mayBeRecorded) return [];
	if (state === 'invited') return [doubt(claim)];
	return state === 'inDoubt' ? [] : both(claim);
}
