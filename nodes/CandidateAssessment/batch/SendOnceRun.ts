import { ApiError, type ItemOutcome, NotSentError } from '../errors/ItemError';
import { outcomeUnsent, type Application } from '../memory/alreadyInvited';
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
	private readonly applications: readonly Application[];
	private readonly memory: Memory;
	/** Part of the key of kept outcomes: a test account's link must never come out for another account. */
	private readonly account: string;
	private isFirstList = false;
	/** The chunks that are claimed, by number. If `lookUpOrClaim` claims one, it is the whole list. */
	private readonly claimedChunks: Array<Promise<Decision>> = [];

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
		const { applications, outcomes } = applicationsIn(items);
		throwIfUnsafe(applications, node.retryOnFail === true && !options.checkOnly);
		this.applications = applications;
		this.outcomes = outcomes;
	}

	/** Claims a list of one chunk (`concurrency`) right away. `close` undoes the claims of what isn't sent after all. */
	async lookUpOrClaim(): Promise<Outcomes> {
		const { checkOnly, concurrency } = this.batch.options;
		this.isFirstList = this.applications.length > 1 && (await isRecordEmpty(this.batch.context));
		for (const each of this.applications) this.outcomes[each.index] = this.takeOver(each);
		const open = this.undecided();
		const isShort = !checkOnly && open.length <= concurrency;
		const known = await (isShort
			? this.claimChunk(open, 0)
			: this.decide(this.memory.lookUp(open)));
		for (const application of open) this.outcomes[application.index] = known(application);
		return this.outcomes;
	}

	async send(): Promise<ItemOutcome[]> {
		const open = this.undecided();
		const { checkOnly } = this.batch.options;
		const ended = checkOnly ? open.map(() => READY) : await this.sendClaimed(open);
		for (const [position, { index }] of open.entries()) this.outcomes[index] = ended[position];
		for (const application of this.applications) {
			const outcome = this.outcomes[application.index];
			// Not in `lookUpOrClaim`: a list that fails its check settles nothing.
			const isSettled = outcome?.kind === 'alreadySent' && outcome.wasInDoubt;
			if (isSettled && !checkOnly) this.memory.settle(application);
		}
		const outcomes = this.outcomes as ItemOutcome[];
		for (const { index: first, duplicates } of this.applications) {
			for (const index of duplicates) outcomes[index] ??= duplicate(outcomes[first], first);
		}
		return outcomes;
	}

	/** Records what hasn't been yet, and undoes the claims of what wasn't sent. */
	async close(): Promise<void> {
		const closed = this.memory.close().then(() => this.kept.setRecorded());
		// What was sent stays sent, so this is no error.
		await closed.catch((error: Error) => {
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

	/** Takes over what an earlier run has sent and not output: nothing is sent for it. */
	private takeOver(application: Application): ItemOutcome | undefined {
		if (this.batch.options.checkOnly || application.ifAlreadySent === 'inviteAgain') return;
		const kept = this.kept.take(this.account, application.key);
		if (kept && !kept.isRecorded) this.memory.settle(application);
		return kept?.outcome;
	}

	private undecided(): Application[] {
		return this.applications.filter(({ index }) => !this.outcomes[index]);
	}

	private async sendClaimed(open: readonly Application[]): Promise<ItemOutcome[]> {
		const sendOne = async (application: Application, position: number) => {
			// Another execution may have sent it since it was looked up.
			const outcome = (await this.claimChunk(open, position))(application);
			if (outcome) return outcome;
			// A chunk's last item has the next chunk claimed meanwhile: a crash leaves at most twice Concurrency in doubt.
			void this.claimChunk(open, position + 1);
			const sent = await sendItem(this.batch, application.index);
			this.memory.setOutcome(application, sent.kind);
			this.kept.add(this.account, application.key, sent);
			return sent;
		};
		return await inParallel(open, sendOne, this.batch).finally(
			// `close` can only undo claims that have been made.
			async () => await Promise.all(this.claimedChunks),
		);
	}

	/** Claims the chunk that has this position, unless it has been. */
	private async claimChunk(open: readonly Application[], position: number): Promise<Decision> {
		const { concurrency } = this.batch.options;
		const chunk = Math.floor(position / concurrency);
		const next = open.slice(chunk * concurrency).slice(0, concurrency);
		return await (this.claimedChunks[chunk] ??= this.decide(this.memory.claim(next)));
	}

	/** If asking fails, nothing was sent. Throws nothing: outcomes of an earlier try must still be reported. */
	private async decide(asked: Promise<States>): Promise<Decision> {
		const isUnsafe = ({ ifAlreadySent: choice }: Application) =>
			choice !== 'inviteAgain' && !this.memory.hasRecord && this.batch.isTool;
		const decided = (states: States) => (each: Application) => {
			const outcome = outcomeUnsent(each, states.get(each)!);
			// A run that was stopped may have sent it since this one began.
			if (outcome?.kind === 'alreadySent') return this.takeOver(each) ?? outcome;
			return outcome ?? (isUnsafe(each) ? NO_MEMORY : undefined);
		};
		return await asked.then(decided, (error: Error) => () => ({ kind: 'notSent', error }));
	}
}

/** The applications of a list, in its order, and what is known of its items without the memory. */
function applicationsIn(items: readonly PreparedItem[]) {
	const applications = new Map<string, Application>();
	const outcomes = items.map((item, index): ItemOutcome | undefined => {
		if (item.kind === 'invalid') return item;
		const application = item.application!;
		const first = applications.get(application.key);
		if (first) first.duplicates.push(index);
		else applications.set(application.key, { ...application, index, duplicates: [] });
		return undefined;
	});
	return { applications: [...applications.values()], outcomes };
}

function throwIfUnsafe(applications: readonly Application[], isRetryOnFail: boolean): void {
	// A try must neither resend what the last one has sent, nor count its unconfirmed ones as invited.
	if (isRetryOnFail && !applications.every(({ ifAlreadySent }) => ifAlreadySent === 'skip')) {
		const message = "'Retry On Fail' works only if 'If Already Invited' is 'Skip'";
		const description = "Nothing was sent. Turn off 'Retry On Fail' in the node's settings.";
		throw new NotSentError({ message, description });
	}
	const isRemembering = applications.some(({ ifAlreadySent }) => ifAlreadySent !== 'inviteAgain');
	if (applications.length > MAX_APPLICATIONS && isRemembering) {
		const limit = MAX_APPLICATIONS.toLocaleString('en-US');
		const message = `The list is too long: the node remembers the last ${limit} candidates it invited`;
		const description =
			'Nothing was sent. Split the list across several Invite nodes, and always send the same candidates to the same node.';
		throw new NotSentError({ message, description });
	}
}

/** Tells the outcome of an application that mustn't be sent, by what was found when it was asked for. */
type Decision = (application: Application) => ItemOutcome | undefined;

const READY: ItemOutcome = { kind: 'ready' };
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
