import { ApiError, type ItemOutcome, NotSentError } from '../errors/ItemError';
import { outcomeUnsent, type Listed } from '../memory/alreadyInvited';
import type { KeptOutcomes } from '../memory/KeptOutcomes';
import { MAX_APPLICATIONS } from '../memory/limits';
import { isRecordEmpty, Memory, type States } from '../memory/memory';
import { CREDENTIAL_TYPE } from '../transport/credentials';
import { type Batch, type Outcomes, type PreparedItem, sendItem } from './batch';
import { inParallel, type Run } from './run';

/** Sends each application of a list once across all executions of a node, unless its item's setting says otherwise. */
export class SendOnceRun implements Run {
	readonly warnings: string[] = [];
	readonly hints: string[] = [];
	/** The outcome of each item. Duplicates have none until the end. */
	private readonly outcomes: Array<ItemOutcome | undefined>;
	private readonly claims: readonly Listed[];
	private readonly memory: Memory;
	/** Part of the key of kept outcomes: a test account's link must never come out for another account. */
	private readonly account: string;
	private isFirstList = false;
	/** The chunks of the list that are being claimed, or have been. One that `lookUpOrClaim` has claimed is the only one. */
	private readonly claiming: Array<Promise<OutcomeIfUnsent>> = [];

	/** Throws `NotSentError` if the memory cannot hold the list, or Retry On Fail is combined with anything but Skip. */
	constructor(
		private readonly batch: Batch,
		private readonly kept: KeptOutcomes,
	) {
		const { context, options, client, items } = batch;
		const node = context.getNode();
		this.memory = new Memory(context);
		const { id } = node.credentials?.[CREDENTIAL_TYPE] ?? {};
		this.account = JSON.stringify([client.credentials.baseUrl, id]);
		const { claims, outcomes } = applicationsIn(items);
		throwIfUnsafe(claims, node.retryOnFail === true && !options.checkOnly);
		this.claims = claims;
		this.outcomes = outcomes;
	}

	/** Claims a list of one chunk (`concurrency`) right away. `close` gives back what isn't sent after all. */
	async lookUpOrClaim(): Promise<Outcomes> {
		const { checkOnly, concurrency } = this.batch.options;
		if (!checkOnly) this.takeOver();
		this.isFirstList = this.claims.length > 1 && (await isRecordEmpty(this.batch.context));
		const open = this.undecided();
		const isShort = !checkOnly && open.length <= concurrency;
		const known = await (isShort ? this.claim(open, 0) : this.knownFrom(this.memory.lookUp(open)));
		for (const claim of open) this.outcomes[claim.index] = known(claim);
		return this.outcomes;
	}

	async send(): Promise<ItemOutcome[]> {
		const open = this.undecided();
		const { checkOnly } = this.batch.options;
		const ended = checkOnly
			? open.map(() => ({ kind: 'ready' as const }))
			: await this.sendClaimed(open);
		for (const [position, { index }] of open.entries()) this.outcomes[index] = ended[position];
		for (const claim of this.claims) {
			const outcome = this.outcomes[claim.index];
			// Not in `lookUpOrClaim`: a list that fails its check settles nothing.
			const isSettled = outcome?.kind === 'alreadySent' && outcome.wasInDoubt;
			if (isSettled && !checkOnly) this.memory.settle(claim);
		}
		return this.withDuplicates();
	}

	/** Records what hasn't been yet, and gives back what was claimed and not sent. */
	async close(): Promise<void> {
		// What was sent stays sent, so this is no error.
		await this.memory.close().catch((error: Error) => {
			this.kept.setUnrecorded();
			this.warnings.push(
				`The node couldn't record who was invited (${error.message}). A later run may report these candidates as unconfirmed.`,
			);
		});
		if (this.memory.hasRecord) {
			const hint = this.batch.options.checkOnly ? FIRST_LIST_CHECKED : FIRST_LIST_SENT;
			if (this.isFirstList) this.hints.push(hint);
		} else if (!this.batch.options.checkOnly) {
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
			if (kept?.isUnrecorded) this.memory.settle(claim);
		}
	}

	private undecided(): Listed[] {
		return this.claims.filter(({ index }) => !this.outcomes[index]);
	}

	private async sendClaimed(open: readonly Listed[]): Promise<ItemOutcome[]> {
		const send = async (claim: Listed, position: number) => {
			// Another execution may have sent it since it was looked up.
			const outcome = (await this.claim(open, position))(claim);
			if (outcome) return outcome;
			// A chunk's last item has the next chunk claimed meanwhile: a crash leaves at most twice Concurrency in doubt.
			void this.claim(open, position + 1);
			const sent = await sendItem(this.batch, claim.index);
			this.memory.setOutcome(claim, sent.kind);
			this.kept.add(this.account, claim.key, sent);
			return sent;
		};
		return await inParallel(open, send, this.batch).finally(
			// `close` can only give back claims that have been made.
			async () => await Promise.all(this.claiming),
		);
	}

	/** Claims the chunk that has this position, unless it has been. */
	private async claim(open: readonly Listed[], position: number): Promise<OutcomeIfUnsent> {
		const { concurrency } = this.batch.options;
		const chunk = Math.floor(position / concurrency);
		const next = open.slice(chunk * concurrency).slice(0, concurrency);
		return await (this.claiming[chunk] ??= this.knownFrom(this.memory.claim(next)));
	}

	/** Throws nothing: outcomes taken over from an earlier try must still be reported. */
	private async knownFrom(asked: Promise<States>): Promise<OutcomeIfUnsent> {
		const isUnsafe = ({ ifAlreadySent: choice }: Listed) =>
			choice !== 'inviteAgain' && !this.memory.hasRecord && this.batch.isTool;
		const known = (states: States) => (claim: Listed) =>
			outcomeUnsent(claim, states.get(claim)!) ?? (isUnsafe(claim) ? NO_MEMORY : undefined);
		return await asked.then(known, (error: Error) => () => ({ kind: 'notSent', error }));
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
	const claims = new Map<string, Listed>();
	const outcomes = items.map((item, index): ItemOutcome | undefined => {
		if (item.kind === 'invalid') return item;
		const application = item.application!;
		const first = claims.get(application.key);
		if (first) first.duplicates.push(index);
		else claims.set(application.key, { ...application, index, duplicates: [] });
		return undefined;
	});
	return { claims: [...claims.values()], outcomes };
}

function throwIfUnsafe(claims: readonly Listed[], isRetryOnFail: boolean): void {
	// A try must neither resend what the last one has sent, nor count its unconfirmed ones as invited.
	if (isRetryOnFail && !claims.every(({ ifAlreadySent }) => ifAlreadySent === 'skip')) {
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

/** Tells the outcome of an application that mustn't be sent, by what was found when it was asked for. */
type OutcomeIfUnsent = (claim: Listed) => ItemOutcome | undefined;

/** A node that was replaced has an empty record, like a new one. */
const FIRST_LIST_CHECKED =
	"This is this node's first list, so everyone in it counts as new. Stop here if another node invited some of them, or this one before it was copied or replaced: they would be invited again.";
const FIRST_LIST_SENT =
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
