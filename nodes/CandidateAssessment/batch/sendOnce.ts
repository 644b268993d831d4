import type { IExecuteFunctions } from 'n8n-workflow';
import type { Application, ItemOutcome } from '../actions/operation';
import { ApiError, NotSentError } from '../errors/ItemError';
import {
	applicationKey,
	isSettledAsInvited,
	outcomeWithoutSending,
	type Claim,
	type ClaimWords,
} from '../memory/claim';
import type { KeptOfAccount } from '../memory/KeptOutcomes';
import { Memory } from '../memory/memory';
import { MAX_APPLICATIONS } from '../memory/nodeRecord';
import { isTool } from '../utils/isTool';
import { runBatch, type ListOptions } from './runBatch';

/** What it needs of n8n's context. */
export type RunContext = Pick<IExecuteFunctions, 'getWorkflow' | 'getNode' | 'helpers'>;

/** An item whose application is sent only once, or what is wrong with the item. */
type Sendable = { kind: 'ready'; application: Application } | { kind: 'invalid'; error: Error };

/** True of the items of an operation that is sent once. */
export function areApplications(
	items: ReadonlyArray<
		{ kind: 'ready'; application?: Application } | { kind: 'invalid'; error: Error }
	>,
): items is readonly Sendable[] {
	return items.every((item) => item.kind === 'invalid' || item.application !== undefined);
}

export interface SendOnceOptions extends ListOptions {
	/** Looks up only. */
	checkOnly: boolean;
	/** What this run and earlier ones have sent, and no run has output. */
	kept: KeptOfAccount;
	words: ClaimWords;
	/** Gets what the user must know before the list is run again. */
	warn(warning: string): void;
	/** Gets what the user may want to know. */
	hint(hint: string): void;
}

/**
 * Sends a list, and each application in it once across all executions of a node. One sent before is skipped
 * or sent again, depending on the item's setting. Gives the outcome of every item. Throws what
 * `check` throws, and `NotSentError` if the memory cannot hold the list, or if Retry On Fail is combined with anything
 * but Skip; then nothing was sent.
 */
export async function sendOnce(
	context: RunContext,
	items: readonly Sendable[],
	options: SendOnceOptions,
): Promise<ItemOutcome[]> {
	const run = new SendOnceRun(context, items, options);
	try {
		if (!options.checkOnly) run.takeOver();
		await run.noteIfNobodyIsRemembered();
		await (run.isSentAtOnce() ? run.claimAll() : run.lookUp());
		options.check(run.outcomes);
		await (options.checkOnly ? run.markReady() : run.send());
	} finally {
		await run.close();
	}
	return run.allOutcomes();
}

/** What is known of a list's items, and the applications that are left. */
class SendOnceRun {
	/** By item. Most whose application appears earlier in the list have none until the end. */
	readonly outcomes: Array<ItemOutcome | undefined>;
	private readonly claims: readonly Claim[];
	private readonly memory: Memory;
	private isNobodyRemembered = false;
	private isAllClaimed = false;

	constructor(
		private readonly context: RunContext,
		items: readonly Sendable[],
		private readonly options: SendOnceOptions,
	) {
		this.memory = new Memory(context);
		const { claims, outcomes } = applicationsIn(items);
		throwIfUnsafe(claims, context.getNode().retryOnFail === true && !options.checkOnly);
		this.claims = claims;
		this.outcomes = outcomes;
	}

	/** What earlier runs have sent and not output is this run's. It isn't looked up, and nothing is sent for it. */
	takeOver(): void {
		for (const claim of this.claims) {
			if (claim.ifAlreadySent === 'inviteAgain') continue;
			const kept = this.options.kept.take(claim.key);
			this.outcomes[claim.index] = kept?.outcome;
			if (kept?.isUnrecorded && kept.outcome.kind === 'succeeded')
				this.memory.setOutcome(claim, 'succeeded');
		}
	}

	/** With a list, the user wants to know. */
	async noteIfNobodyIsRemembered(): Promise<void> {
		this.isNobodyRemembered = this.claims.length > 1 && (await this.memory.isEmpty());
	}

	/** A list that isn't longer than what may be in flight, and is sent. */
	isSentAtOnce(): boolean {
		const { checkOnly, concurrency } = this.options;
		return !checkOnly && this.open().length <= concurrency;
	}

	/** Tells as much as a lookup. If nothing may be sent after all, the claims are given back. */
	async claimAll(): Promise<void> {
		await this.askMemory(async (open) => await this.memory.claim(open));
		this.isAllClaimed = true;
	}

	async lookUp(): Promise<void> {
		await this.askMemory(async (open) => await this.memory.lookUp(open));
	}

	markReady(): void {
		for (const { index } of this.open()) this.outcomes[index] = { kind: 'ready' };
	}

	async send(): Promise<void> {
		const open = this.open();
		const claiming: Array<Promise<ItemOutcome | undefined>> = [];
		/** In groups, each as many as may be in flight. Gives the outcome of all in it if none may be sent. */
		const claimGroup = async (group: number) => {
			const { concurrency } = this.options;
			const claims = open.slice(group * concurrency, (group + 1) * concurrency);
			claiming[group] ??= this.memory.claim(claims).then(() => undefined, notSent);
			return await claiming[group];
		};
		const claim = async (position: number) => {
			if (this.isAllClaimed) return undefined;
			const { concurrency } = this.options;
			const failure = await claimGroup(Math.floor(position / concurrency));
			// The next one while the last of a group is sent: a crash leaves at most two groups in doubt.
			if (!failure) void claimGroup(Math.floor((position + 1) / concurrency));
			return failure;
		};
		const send = async (each: Claim, position: number) =>
			(await claim(position)) ??
			// It may have been sent in the meantime.
			this.outcomeWithoutSending(each) ??
			this.outcomeWithoutMemory(each) ??
			(await this.sendClaimed(each));
		const sent = await runBatch(open, send, this.options).finally(
			// What is being claimed must not be left behind.
			async () => await Promise.all(claiming),
		);
		for (const [position, { index }] of open.entries()) this.outcomes[index] = sent[position];
		const settled = this.claims.filter(isSettledAsInvited);
		for (const each of settled) this.memory.setOutcome(each, 'succeeded');
	}

	/** Records what was sent, and gives back what was claimed and not sent. */
	async close(): Promise<void> {
		const { checkOnly, kept, warn, hint } = this.options;
		// What was sent stays sent, so this is no error.
		await this.memory.close().catch((error: Error) => {
			kept.setUnrecorded();
			warn(
				`The node couldn't save who was invited (${error.message}). The next run will report these candidates as unconfirmed.`,
			);
		});
		if (this.memory.isPersistent) {
			if (this.isNobodyRemembered) hint(NOBODY_REMEMBERED);
		} else if (!checkOnly && this.claims.length > 0) {
			warn(
				"The node can't keep a record of who was invited, because this workflow was never saved. Save it before you run it again.",
			);
		}
	}

	allOutcomes(): ItemOutcome[] {
		const outcomes = this.outcomes as ItemOutcome[];
		for (const { index: first, duplicates } of this.claims) {
			for (const index of duplicates) outcomes[index] ??= duplicate(outcomes[first], first);
		}
		return outcomes;
	}

	private open(): Claim[] {
		return this.claims.filter(({ index }) => !this.outcomes[index]);
	}

	/** Sets the outcomes of those that aren't to be sent. */
	private async askMemory(ask: (open: Claim[]) => Promise<void>): Promise<void> {
		const open = this.open();
		// Not thrown: an earlier try may have sent something.
		const failure = await ask(open).then(() => undefined, notSent);
		for (const claim of open) {
			this.outcomes[claim.index] = failure ?? this.outcomeWithoutSending(claim);
		}
	}

	private outcomeWithoutSending(claim: Claim): ItemOutcome | undefined {
		return outcomeWithoutSending(claim, this.options.words);
	}

	private outcomeWithoutMemory({ ifAlreadySent }: Claim): ItemOutcome | undefined {
		const isRemembered = this.memory.isPersistent || ifAlreadySent === 'inviteAgain';
		return isRemembered || !isTool(this.context.getNode()) ? undefined : NO_MEMORY;
	}

	private async sendClaimed(claim: Claim): Promise<ItemOutcome> {
		const outcome = await this.options.send(claim.index);
		this.memory.setOutcome(claim, outcome.kind);
		this.options.kept.add(claim.key, outcome);
		return outcome;
	}
}

/** The applications of a list, in its order, and what is known of its items without the memory. */
function applicationsIn(items: readonly Sendable[]) {
	const claims = new Map<string, Claim>();
	const outcomes = items.map((item, index): ItemOutcome | undefined => {
		if (item.kind === 'invalid') return item;
		const { identity, ...application } = item.application;
		const key = applicationKey(identity);
		const first = claims.get(key);
		if (!first) {
			claims.set(key, { key, ...application, index, duplicates: [], state: 'new' });
			return undefined;
		}
		first.duplicates.push(index);
		return undefined;
	});
	return { claims: [...claims.values()], outcomes };
}

function throwIfUnsafe(claims: readonly Claim[], mayBeRepeated: boolean): void {
	// A try must neither send again what the one before it has sent, nor decide what became of it.
	if (mayBeRepeated && !claims.every(({ ifAlreadySent }) => ifAlreadySent === 'skip')) {
		const message = "'Retry On Fail' works only if 'If Already Invited' is 'Skip'";
		const description = "Nothing was sent. Turn off 'Retry On Fail' in the node's settings.";
		throw new NotSentError({ message, description });
	}
	const isAgain = ({ ifAlreadySent }: Claim) => ifAlreadySent === 'inviteAgain';
	if (claims.length > MAX_APPLICATIONS && !claims.every(isAgain)) {
		const limit = MAX_APPLICATIONS.toLocaleString('en-US');
		const message = `The list is too long: the node remembers the last ${limit} candidates it invited`;
		const description =
			'Nothing was sent. Split the list across several Invite nodes, and always send the same candidates to the same node.';
		throw new NotSentError({ message, description });
	}
}

/** After the node was replaced, its record is as empty as on the first day. */
const NOBODY_REMEMBERED =
	"This is this node's first list, so everyone in it counts as new. Stop here if another node invited some of them, or this one before it was copied or replaced: this node doesn't know, and invites them again.";

/** For a model: it sees no hint, and would invite the same person whenever it's asked. */
const NO_MEMORY: ItemOutcome = {
	kind: 'notSent',
	error: new Error(
		"Nobody was invited, because here this tool can't remember who was invited. Don't try again. Ask the user to give this agent a workflow tool instead, with the Candidate Assessment node in that workflow, or, if this agent is in a workflow, to save it. Then nobody is invited twice.",
	),
};

/** The outcome of an item whose application appears earlier in the list. */
function duplicate(outcome: ItemOutcome, firstIndex: number): ItemOutcome {
	if (!('error' in outcome)) {
		return { kind: 'alreadySent', reason: sameAs(firstIndex), isDuplicate: true };
	}
	if (outcome.kind !== 'refused') return outcome;
	// Otherwise a corrected second row would look as if it had been invited with the first.
	const message = `Not sent: duplicate of item ${firstIndex + 1}, which failed`;
	const isAboutData = outcome.error instanceof ApiError && outcome.error.isAboutData;
	const description = isAboutData
		? `Correct or remove item ${firstIndex + 1}, then run the workflow again.`
		: 'Run the workflow again.';
	return { kind: 'notSent', error: new NotSentError({ message, description }) };
}

function sameAs(firstIndex: number): string {
	return `This is the same application as item ${firstIndex + 1}`;
}

function notSent(error: Error): ItemOutcome {
	return { kind: 'notSent', error };
}
