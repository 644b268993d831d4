import { createHash } from 'crypto';
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import type { Application, ItemOutcome } from '../actions/operation';
import { ItemError } from '../errors/ItemError';
import { isUnknownWorkflow, twice, withLock, type LockContext } from './workflowLock';

/** Beyond this number, those claimed first are forgotten, even if skipped since. */
export const MAX_APPLICATIONS = 20_000;

/** Room for entries of requests that are in flight, claimed ahead, or in doubt. */
const MAX_OPEN = 2_000;

const OPTIONS: ICheckProcessedOptions = { mode: 'entries' };

/**
 * inDoubt: no outcome was recorded: it was cut off, or another process is sending it.
 * sending: another execution in this process claimed it and hasn't recorded its outcome yet.
 */
type ApplicationState = 'new' | 'accepted' | 'inDoubt' | 'sending';

/** An application in a list. Once it's claimed, this execution sends it or gives it back. */
export interface Claim extends Pick<Application, 'ifAlreadySent' | 'notConfirmed'> {
	key: string;
	/** The first item in the list that has it. */
	first: number;
	/** As last looked up. */
	state: ApplicationState;
	/** Set once it was sent. */
	outcome?: ItemOutcome['kind'];
}

/**
 * The entries of an application in n8n's database:
 *
 *     new
 *     in doubt   known, open
 *     accepted   known
 *
 * A lookup adds both entries first, so a crash can only leave it in doubt, even if it was accepted.
 */
const known = ({ key }: Pick<Claim, 'key'>) => `k${key}`;
const open = ({ key }: Pick<Claim, 'key'>) => `o${key}`;
const both = (claim: Pick<Claim, 'key'>) => [known(claim), open(claim)];

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

	constructor(private readonly context: LockContext & Pick<IExecuteFunctions, 'getNode'>) {
		const { id } = context.getWorkflow();
		this.nodeId = JSON.stringify([id, context.getNode().id]);
		this.isPersistent = Boolean(id);
	}

	/**
	 * Reads the states, claims what may be sent, and records earlier outcomes. Throws `ItemError` if that fails.
	 * @param mayClaim if false, it claims nothing, and the entries stay as they are
	 */
	async lookUp(claims: readonly Claim[], { mayClaim }: { mayClaim: boolean }): Promise<void> {
		if (claims.length === 0) return;
		const look = async () => {
			await this.record();
			const present = await this.add(claims.flatMap(both));
			for (const claim of claims) {
				if (sending.has(this.idOf(claim))) claim.state = 'sending';
				else if (present.has(open(claim))) claim.state = 'inDoubt';
				else claim.state = present.has(known(claim)) ? 'accepted' : 'new';
			}
			const mine = claims.filter((claim) => mayClaim && maySend(claim));
			for (const claim of mine) {
				this.claimed.add(claim);
				sending.add(this.idOf(claim));
			}
			const others = claims.filter((claim) => !this.claimed.has(claim));
			await this.remove(others.flatMap(both).filter((entry) => !present.has(entry)));
			// They may have been the oldest entries, and dropped.
			await this.add(mine.filter(({ state }) => state !== 'new').flatMap(both));
		};
		await this.exclusive(look).catch((error: Error) => {
			const message = "Not sent: the node couldn't remember it in n8n's database";
			const description = `${error.message}. Without that, a candidate could be invited twice.`;
			throw new ItemError({ message, description }, 'notSent');
		});
	}

	/**
	 * Records all outcomes, and gives back the claims that have none. Throws the database's error.
	 * @param accepted in doubt, but counted as invited from now on
	 */
	async close(accepted: readonly Claim[]): Promise<void> {
		for (const claim of this.claimed) claim.outcome ??= 'notSent';
		try {
			if (this.claimed.size + accepted.length === 0) return;
			await this.exclusive(async () => {
				const isSending = (claim: Claim) => sending.has(this.idOf(claim));
				await this.remove(accepted.filter((claim) => !isSending(claim)).map(open));
				await this.record();
			});
		} finally {
			this.forget([...this.claimed]);
		}
	}

	private async record(): Promise<void> {
		const ended = [...this.claimed].filter(({ outcome }) => outcome);
		await this.remove(ended.flatMap(outdated));
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
		const options = { ...OPTIONS, maxEntries: MAX_APPLICATIONS + MAX_OPEN };
		const { processed } = await twice(
			async () => await checkProcessedAndRecord(entries, 'node', options),
		);
		return new Set(processed as string[]);
	}

	private async remove(entries: string[]): Promise<void> {
		if (!this.isPersistent || entries.length === 0) return;
		const { removeProcessed } = this.context.helpers;
		// A briefly busy database must not leave accepted applications in doubt.
		await twice(async () => await removeProcessed(entries, 'node', OPTIONS));
	}

	/** Runs a task while nothing else, in any process, uses the entries. */
	private async exclusive(task: () => Promise<void>): Promise<void> {
		if (!this.isPersistent) return await task();
		await withLock(this.context, task).catch(async (error: Error) => {
			if (!isUnknownWorkflow(error)) throw error;
			this.isPersistent = false;
			await task();
		});
	}
}

export function maySend({ state, ifAlreadySent }: Claim): boolean {
	if (state === 'new' || state === 'sending') return state === 'new';
	return (
		ifAlreadySent === 'inviteAgain' || (ifAlreadySent === 'resendUnknown' && state === 'inDoubt')
	);
}

/** A key for what tells one application from another. It says nothing about the candidate. */
export function applicationKey(identity: readonly string[]): string {
	const digest = createHash('sha256').update(JSON.stringify(identity)).digest();
	return digest.subarray(0, 16).toString('base64');
}

/** The entries to remove when a claim's outcome is recorded. An unknown outcome leaves it in doubt. */
function outdated(claim: Claim): string[] {
	const { state, outcome } = claim;
	if (outcome === 'unknown') return [];
	if (outcome === 'succeeded' || state === 'accepted') return [open(claim)];
	return state === 'inDoubt' ? [] : both(claim);
}
