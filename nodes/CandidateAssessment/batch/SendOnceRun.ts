import type { ItemOutcome } from '../errors/ItemOutcome';
import { ApiError, NotSentError } from '../errors/ItemError';
import {
	applicationKey,
	isSettledAsInvited,
	outcomeWithoutSending,
	type Claim,
} from '../memory/claim';
import type { KeptOutcomes } from '../memory/KeptOutcomes';
import { MAX_APPLICATIONS } from '../memory/limits';
import { Memory } from '../memory/memory';
import { CREDENTIAL_TYPE } from '../transport/credentials';
import { isTool } from '../utils/isTool';
import type { PreparedItem } from './prepareItems';
import { sendItem, type Batch, type Outcomes, type Run } from './batch';
import { inParallel } from './inParallel';

/**
 * Sends each application of a list once across all executions of a node. Its item's setting decides what becomes of an
 * application that was sent before.
 */
export class SendOnceRun implements Run {
	readonly warnings: string[] = [];
	readonly hints: string[] = [];
	/** The outcome of each item. Duplicates have none until the end. */
	private readonly outcomes: Array<ItemOutcome | undefined>;
	private readonly claims: readonly Claim[];
	private readonly memory: Memory;
	/** Part of the key of kept outcomes: a test account's link must never come out for another account. */
	private readonly account: string;
	private isNobodyRemembered = false;
	/** Per claim, its (pending) claiming, which resolves with an outcome if it mustn't be sent. */
	private readonly claiming = new Map<Claim, Promise<ItemOutcome | undefined>>();

	/**
	 * Throws `NotSentError` if the memory cannot hold the list, or if Retry On Fail is combined with anything but Skip.
	 */
	constructor(
		private readonly batch: Batch,
		private readonly kept: KeptOutcomes,
	) {
		const { context, options, client, items } = batch;
		const node = context.getNode();
		this.memory = new Memory(context);
		const credential = node.credentials?.[CREDENTIAL_TYPE]?.id;
		this.account = JSON.stringify([client.credentials.baseUrl, credential]);
		const { claims, outcomes } = applicationsIn(items);
		throwIfUnsafe(claims, node.retryOnFail === true && !options.checkOnly);
		this.claims = claims;
		this.outcomes = outcomes;
	}

	/**
	 * Sets the outcomes of applications that aren't to be sent. A list that fits into one group (`concurrency`) is claimed
	 * right away, which says as much as a lookup. If nothing may be sent after all, the claims are given back.
	 */
	async ask(): Promise<Outcomes> {
		const { checkOnly, concurrency } = this.batch.options;
		if (!checkOnly) this.takeOver();
		// Only a list gets this hint.
		this.isNobodyRemembered = this.claims.length > 1 && (await this.memory.isEmpty());
		const open = this.undecided();
		const isOneGroup = !checkOnly && open.length <= concurrency;
		// Kept and not thrown: outcomes taken over from an earlier try must still be reported.
		const failure = isOneGroup
			? await this.claim(open, 0)
			: await this.memory.lookUp(open).then(() => undefined, notSent);
		for (const claim of open) {
			this.outcomes[claim.index] = failure ?? this.outcomeIfKnown(claim);
		}
		return this.outcomes;
	}

	async send(): Promise<ItemOutcome[]> {
		const open = this.undecided();
		const { checkOnly } = this.batch.options;
		const ended = checkOnly ? open.map(() => READY) : await this.sendClaimed(open);
		for (const [position, { index }] of open.entries()) this.outcomes[index] = ended[position];
		for (const each of this.claims.filter(isSettledAsInvited)) {
			// If the execution was stopped first, its outcome is `notSent`, and it stays in doubt.
			const isSkipped = this.outcomes[each.index]?.kind === 'alreadySent';
			if (isSkipped && !checkOnly) this.memory.setOutcome(each, 'succeeded');
		}
		return this.withDuplicates();
	}

	/** Records what was sent, and releases the claims that weren't. */
	async close(): Promise<void> {
		// What was sent stays sent, so this is no error.
		await this.memory.close().catch((error: Error) => {
			this.kept.setUnrecorded();
			this.warnings.push(
				`The node couldn't save who was invited (${error.message}). A later run may report these candidates as unconfirmed.`,
			);
		});
		if (this.memory.hasRecord) {
			const hint = this.batch.options.checkOnly ? NOBODY_REMEMBERED : NOBODY_WAS_REMEMBERED;
			if (this.isNobodyRemembered) this.hints.push(hint);
		} else if (!this.batch.options.checkOnly && this.claims.length > 0) {
			this.warnings.push(
				"The node can't keep a record of who was invited, because this workflow was never saved. Save it before you run it again.",
			);
		}
	}

	/** Takes over what earlier runs have sent and not output. It isn't looked up, and nothing is sent for it. */
	private takeOver(): void {
		for (const claim of this.claims) {
			if (claim.ifAlreadySent === 'inviteAgain') continue;
			const kept = this.kept.take(this.account, claim.key);
			this.outcomes[claim.index] = kept?.outcome;
			if (kept?.isUnrecorded) this.memory.setOutcome(claim, 'succeeded');
		}
	}

	private undecided(): Claim[] {
		return this.claims.filter(({ index }) => !this.outcomes[index]);
	}

	private async sendClaimed(open: readonly Claim[]): Promise<ItemOutcome[]> {
		const send = async (claim: Claim, position: number) => {
			const failure = await this.claim(open, position);
			if (failure) return failure;
			// Claims the next group while this one is sent, so a crash leaves at most twice Concurrency in doubt.
			void this.claim(open, position + 1);
			// Another execution may have sent it since it was looked up.
			const outcome = this.outcomeIfKnown(claim);
			if (outcome) return outcome;
			const sent = await sendItem(this.batch, claim.index);
			this.memory.setOutcome(claim, sent.kind);
			this.kept.add(this.account, claim.key, sent);
			return sent;
		};
		return await inParallel(open, send, this.batch).finally(
			// `close` can only release claims that have been made.
			async () => await Promise.all(this.claiming.values()),
		);
	}

	/** Claims the group that begins here, unless it has been, which sets its states. @returns why that failed, if it did */
	private async claim(open: readonly Claim[], position: number): Promise<ItemOutcome | undefined> {
		const first = open[position];
		if (first && !this.claiming.has(first)) {
			const next = open.slice(position, position + this.batch.options.concurrency);
			const claimed = this.memory.lookUpOrClaim(next, true).then(() => undefined, notSent);
			for (const each of next) this.claiming.set(each, claimed);
		}
		return await this.claiming.get(first);
	}

	private outcomeIfKnown(claim: Claim): ItemOutcome | undefined {
		const isRemembered = this.memory.hasRecord || claim.ifAlreadySent === 'inviteAgain';
		const isUnsafe = !isRemembered && isTool(this.batch.context.getNode());
		return outcomeWithoutSending(claim) ?? (isUnsafe ? NO_MEMORY : undefined);
	}

	private withDuplicates(): ItemOutcome[] {
		const outcomes = this.outcomes as ItemOutcome[];
		for (const { index: first, duplicates } of this.claims) {
			for (const index of duplicates) outcomes[index] ??= duplicate(outcomes[first], first);
		}
		return outcomes;
	}
}

/** The applications of a list, in its order, and what is known of its items without the memory. */
function applicationsIn(items: readonly PreparedItem[]) {
	const claims = new Map<string, Claim>();
	const outcomes = items.map((item, index): ItemOutcome | undefined => {
		if (item.kind === 'invalid') return item;
		const { identity, ...application } = item.application!;
		const key = applicationKey(identity);
		const first = claims.get(key);
		if (first) first.duplicates.push(index);
		else claims.set(key, { key, ...application, index, duplicates: [], state: 'new' });
		return undefined;
	});
	return { claims: [...claims.values()], outcomes };
}

function throwIfUnsafe(claims: readonly Claim[], mayBeRepeated: boolean): void {
	// A try must neither resend what the last one has sent, nor count its unconfirmed ones as invited.
	if (mayBeRepeated && !claims.every(({ ifAlreadySent }) => ifAlreadySent === 'skip')) {
		const message = "'Retry On Fail' works only if 'If Already Invited' is 'Skip'";
		const description = "Nothing was sent. Turn off 'Retry On Fail' in the node's settings.";
		throw new NotSentError({ message, description });
	}
	const isRemembering = claims.some(({ ifAlreadySent }) => ifAlreadySent !== 'inviteAgain');
	if (claims.length > MAX_APPLICATIONS && isRemembering) {
		const limit = MAX_APPLICATIONS.toLocaleString('en-US');
		const message = `The list is too long: the node remembers the last ${limit} candidates it invited`;
		const description =
			'Nothing was sent. Split the list across several Invite nodes, and always send the same candidates to the same node.';
		throw new NotSentError({ message, description });
	}
}

const READY: ItemOutcome = { kind: 'ready' };
/** A node that was replaced has an empty record, like a new one. */
const NOBODY_REMEMBERED =
	"This is this node's first list, so everyone in it counts as new. Stop here if another node invited some of them, or this one before it was copied or replaced: this node doesn't know, and would invite them again.";
const NOBODY_WAS_REMEMBERED =
	"This was this node's first list, so everyone in it counted as new. If another node had invited some of them, or this one before it was copied or replaced, they may have been invited again.";

/** A model sees no hint, and would invite the same person whenever it's asked. */
const NO_MEMORY: ItemOutcome = {
	kind: 'notSent',
	error: new Error(
		"Nobody was invited, because here this tool can't remember who was invited. Don't try again. Ask the user to give this agent a workflow tool instead, with the Candidate Assessment node in that workflow, or, if this agent is in a workflow, to save it. Then nobody is invited twice.",
	),
};

/** The outcome of an item whose application appears earlier in the list. */
function duplicate(outcome: ItemOutcome, firstIndex: number): ItemOutcome {
	if (!('error' in outcome)) {
		const reason = `This is the same application as item ${firstIndex + 1}`;
		return { kind: 'duplicate', reason };
	}
	if (outcome.kind !== 'refused') return outcome;
	// Not `refused`: once the second row is corrected, it's another application.
	const message = `Not sent: duplicate of item ${firstIndex + 1}, which failed`;
	const isAboutData = outcome.error instanceof ApiError && outcome.error.isAboutData;
	const description = isAboutData
		? `Correct or remove item ${firstIndex + 1}, then run the workflow again.`
		: 'Run the workflow again.';
	return { kind: 'notSent', error: new NotSentError({ message, description }) };
}

function notSent(error: Error): ItemOutcome {
	return { kind: 'notSent', error };
}
