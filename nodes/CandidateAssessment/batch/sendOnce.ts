import type { IExecuteFunctions } from 'n8n-workflow';
import type { Application, ItemOutcome } from '../actions/operation';
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
import { isTool } from '../utils/isTool';
import { runBatch, type ListOptions } from './runBatch';

type RunContext = Pick<IExecuteFunctions, 'getWorkflow' | 'getNode' | 'helpers'>;

type Item = { kind: 'ready'; application?: Application } | { kind: 'invalid'; error: Error };

export interface SendOnceOptions extends ListOptions {
	/** Looks up only. */
	checkOnly: boolean;
	/** What this run and earlier ones have sent. */
	kept: KeptOutcomes;
	account: string;
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
	items: readonly Item[],
	options: SendOnceOptions,
): Promise<ItemOutcome[]> {
	const run = new SendOnceRun(context, items, options);
	try {
		if (!options.checkOnly) run.takeOver();
		await run.ask();
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
	/** By number, what is or was being claimed: of each, the outcome of all in it if none may be sent. */
	private readonly groups: Array<Promise<ItemOutcome | undefined>> = [];

	constructor(
		private readonly context: RunContext,
		items: readonly Item[],
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
			const kept = this.options.kept.take(this.options.account, claim.key);
			this.outcomes[claim.index] = kept?.outcome;
			if (kept?.isUnrecorded) this.memory.setOutcome(claim, 'succeeded');
		}
	}

	/**
	 * Sets the outcomes of those that aren't to be sent. A list that isn't longer than what may be in flight is claimed at
	 * once, which tells as much as a lookup. If nothing may be sent after all, the claims are given back.
	 */
	async ask(): Promise<void> {
		const { checkOnly, concurrency } = this.options;
		// With a list, the user wants to know.
		this.isNobodyRemembered = this.claims.length > 1 && (await this.memory.isEmpty());
		const open = this.open();
		const isSentAtOnce = !checkOnly && open.length <= concurrency;
		// Not thrown: an earlier try may have sent something.
		const failure = isSentAtOnce
			? await this.claimGroup(open, 0)
			: await this.memory.lookUp(open).then(() => undefined, notSent);
		for (const claim of open) {
			this.outcomes[claim.index] = failure ?? this.outcomeWithoutSending(claim);
		}
	}

	markReady(): void {
		for (const { index } of this.open()) this.outcomes[index] = { kind: 'ready' };
	}

	async send(): Promise<void> {
		const open = this.open();
		const { concurrency } = this.options;
		const send = async (claim: Claim, position: number) => {
			const failure = await this.claimGroup(open, Math.floor(position / concurrency));
			if (failure) return failure;
			// The next one while the last of a group is sent: a crash leaves at most two groups in doubt.
			void this.claimGroup(open, Math.floor((position + 1) / concurrency));
			// It may have been sent in the meantime.
			return this.outcomeWithoutSending(claim) ?? (await this.sendClaimed(claim));
		};
		const sent = await runBatch(open, send, this.options).finally(
			// What is being claimed must not be left behind.
			async () => await Promise.all(this.groups),
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
				`The node couldn't save who was invited (${error.message}). A later run may report these candidates as unconfirmed.`,
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

	/** In groups, each as many as may be in flight. */
	private async claimGroup(open: readonly Claim[], group: number) {
		const { concurrency } = this.options;
		const claims = open.slice(group * concurrency, (group + 1) * concurrency);
		return await (this.groups[group] ??= this.memory.claim(claims).then(() => undefined, notSent));
	}

	private outcomeWithoutSending(claim: Claim): ItemOutcome | undefined {
		const isRemembered = this.memory.isPersistent || claim.ifAlreadySent === 'inviteAgain';
		const isUnsafe = !isRemembered && !this.options.checkOnly && isTool(this.context.getNode());
		return outcomeWithoutSending(claim) ?? (isUnsafe ? NO_MEMORY : undefined);
	}

	private async sendClaimed(claim: Claim): Promise<ItemOutcome> {
		const outcome = await this.options.send(claim.index);
		this.memory.setOutcome(claim, outcome.kind);
		this.options.kept.add(this.options.account, claim.key, outcome);
		return outcome;
	}
}

/** The applications of a list, in its order, and what is known of its items without the memory. */
function applicationsIn(items: readonly Item[]) {
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
		const reason = `This is the same application as item ${firstIndex + 1}`;
		return { kind: 'alreadySent', reason, isDuplicate: true };
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

function notSent(error: Error): ItemOutcome {
	return { kind: 'notSent', error };
}
