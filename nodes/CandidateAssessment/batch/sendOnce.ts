import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import type { Application, ItemOutcome } from '../actions/operation';
import { ItemError } from '../errors/ItemError';
import {
	alreadySentError,
	applicationKey,
	isSettledAsInvited,
	outcomeWithoutSending,
	type Claim,
} from '../memory/claim';
import { MAX_APPLICATIONS, Memory } from '../memory/memory';
import { isTool } from '../utils/isTool';
import { runBatch, type BatchOptions } from './runBatch';

type Sendable = { kind: 'ready'; application?: Application } | { kind: 'invalid'; error: Error };

interface SendOnceOptions extends BatchOptions {
	/** Looks up only. */
	checkOnly: boolean;
	/** Gets the outcomes that are known before anything is sent, by item. If it throws, nothing is sent. */
	check(outcomes: ReadonlyArray<ItemOutcome | undefined>): void;
	send(index: number): Promise<ItemOutcome>;
	/** Gets what the user must know before the list is run again. */
	warn(warning: string): void;
}

/** A crash during a lookup leaves at most this many in doubt. */
const LOOKUP_SIZE = 100;

/**
 * Sends a batch, and each application in it once across all executions of a node. One sent before is skipped,
 * fails, or is sent again, depending on the item's setting. Gives the outcome of every item. Throws what
 * `check` throws, and `ItemError` if the memory cannot hold the list, or if Retry On Fail is combined with Invite
 * Again; then nothing was sent.
 */
export async function sendOnce(
	context: IExecuteFunctions,
	items: readonly Sendable[],
	options: SendOnceOptions,
): Promise<ItemOutcome[]> {
	const { concurrency, checkOnly } = options;
	const earlier = earlierOutcomes(context);
	const claims = claimsOf(items);
	throwIfUnsafe(claims, earlier !== undefined);
	const outcomes = items.map((item, index): ItemOutcome | undefined => {
		if (item.kind === 'invalid') return item;
		const { key = '', ifAlreadySent, firstIndex = index } = claims[index] ?? {};
		if (firstIndex === index) return earlier?.get(key);
		return ifAlreadySent === 'fail' ? alreadySentError(sameAs(firstIndex)) : undefined;
	});
	const isOpen = (index: number) =>
		!outcomes[index] && (claims[index]?.firstIndex ?? index) === index;
	const firsts = [...items.keys()].filter(isOpen).flatMap((index) => claims[index] ?? []);
	const memory = new Memory(context);
	const isClaimedAtOnce = !checkOnly && firsts.length <= concurrency;
	/** The claims of each group, which are as many as may be in flight. A crash leaves at most two groups in doubt. */
	const groups: Array<Promise<ItemOutcome | undefined>> = [];
	let settled: Claim[] = [];
	try {
		const lookUp = async () => {
			if (isClaimedAtOnce) return await memory.claim(firsts);
			for (let start = 0; start < firsts.length; start += LOOKUP_SIZE) {
				await memory.lookUp(firsts.slice(start, start + LOOKUP_SIZE));
			}
		};
		// Not thrown: an earlier try may have sent something.
		const failure = await lookUp().then(() => undefined, notSent);
		for (const claim of firsts) {
			outcomes[claim.firstIndex] = failure ?? outcomeWithoutSending(claim);
		}
		options.check(outcomes);
		const pending = [...items.keys()].filter(isOpen);
		/** If it fails, none of the group is sent: gives their outcome. */
		const claimGroupOf = async (position: number): Promise<ItemOutcome | undefined> => {
			const group = Math.floor(position / concurrency);
			const indexes = pending.slice(group * concurrency, (group + 1) * concurrency);
			groups[group] ??= memory
				.claim(indexes.flatMap((index) => claims[index] ?? []))
				.then(() => undefined, notSent);
			return await groups[group];
		};
		const send = async (index: number, position: number): Promise<ItemOutcome> => {
			const claim = claims[index];
			if (!claim) return await options.send(index);
			if (!isClaimedAtOnce) {
				const failure = await claimGroupOf(position);
				if (failure) return failure;
				// The next group is claimed while the last of this one is sent.
				void claimGroupOf(position + 1);
			}
			// It may have been sent in the meantime.
			const known = outcomeWithoutSending(claim);
			if (known) return known;
			const needsMemory = isTool(context.getNode()) && claim.ifAlreadySent !== 'inviteAgain';
			if (needsMemory && !memory.isPersistent) return NO_MEMORY;
			const outcome = await options.send(index);
			claim.outcome = outcome.kind;
			// Anything else is sent again in the next try.
			if (['succeeded', 'unknown'].includes(outcome.kind)) earlier?.set(claim.key, outcome);
			return outcome;
		};
		const sent = checkOnly ? [] : await runBatch(pending, send, options);
		if (!checkOnly) settled = firsts.filter(isSettledAsInvited);
		pending.forEach((index, position) => (outcomes[index] = sent[position] ?? { kind: 'ready' }));
	} finally {
		await Promise.all(groups);
		// What was sent stays sent, so this is no error.
		await memory.close(settled).catch((error: Error) => {
			options.warn(
				`The node couldn't record who was invited (${error.message}). In the next execution, it can't confirm whether these candidates were invited.`,
			);
		});
	}
	if (!checkOnly && !memory.isPersistent && claims.some(Boolean)) {
		options.warn(
			"The node can't remember who was invited, because this workflow was never saved. Save it before you run it again.",
		);
	}
	claims.forEach((claim, index) => {
		if (!claim) return;
		outcomes[index] ??= duplicate(outcomes[claim.firstIndex] as ItemOutcome, claim.firstIndex);
	});
	return outcomes as ItemOutcome[];
}

function notSent(error: Error): ItemOutcome {
	return { kind: 'notSent', error };
}

function claimsOf(items: readonly Sendable[]): Array<Claim | undefined> {
	const firsts = new Map<string, number>();
	return items.map((item, index) => {
		if (item.kind === 'invalid' || !item.application) return undefined;
		const { identity, ...application } = item.application;
		const key = applicationKey(identity);
		const firstIndex = firsts.get(key) ?? index;
		firsts.set(key, firstIndex);
		return { key, ...application, firstIndex, state: 'new' };
	});
}

function throwIfUnsafe(claims: ReadonlyArray<Claim | undefined>, mayBeRepeated: boolean): void {
	const choices = claims.flatMap((claim) => claim?.ifAlreadySent ?? []);
	if (mayBeRepeated && choices.includes('inviteAgain')) {
		const message = "'Retry On Fail' and 'Invite Again' together could invite candidates twice";
		const description = "Nothing was sent. Turn off 'Retry On Fail' in the node's settings.";
		throw new ItemError({ message, description }, 'notSent');
	}
	if (choices.length > MAX_APPLICATIONS && choices.some((choice) => choice !== 'inviteAgain')) {
		const limit = MAX_APPLICATIONS.toLocaleString('en-US');
		const message = `The list is too long: the node remembers the last ${limit} candidates it invited`;
		const description =
			'Nothing was sent. A longer list, run again, could invite the others twice. Split it between several nodes.';
		throw new ItemError({ message, description }, 'notSent');
	}
}

/** For a model: it sees no hint, and would invite the same person whenever it's asked. */
const NO_MEMORY: ItemOutcome = {
	kind: 'notSent',
	error: new Error(
		"Nobody was invited, because here this tool can't remember who was invited. Don't try again. Ask the user to give this agent a workflow tool instead, with the Candidate Assessment node in that workflow, or, if this agent is in a workflow, to save it. Then nobody is invited twice.",
	),
};

/** The outcome of an item whose application appears earlier in the list. */
function duplicate(outcome: ItemOutcome, firstIndex: number): ItemOutcome {
	if (!('error' in outcome)) return { kind: 'alreadySent', reason: sameAs(firstIndex) };
	if (outcome.kind !== 'refused') return outcome;
	// Otherwise a corrected second row would look as if it had been invited with the first.
	const message = `Not sent: this is the same application as item ${firstIndex + 1}`;
	const description = 'That one failed. Correct it or remove it, then run the workflow again.';
	return { kind: 'notSent', error: new ItemError({ message, description }, 'notSent') };
}

function sameAs(firstIndex: number): string {
	return `This is the same application as item ${firstIndex + 1}`;
}

/** By application. Keyed by the data of a node's run, the same object in each try. */
const outcomesOfRuns = new WeakMap<IExecuteData, Map<string, ItemOutcome>>();

/**
 * What earlier tries of a node with Retry On Fail have sent. n8n discards the output of a failed try, and the next
 * one must not send anything twice: it outputs those outcomes again. Undefined if n8n doesn't try again.
 */
function earlierOutcomes(context: IExecuteFunctions): Map<string, ItemOutcome> | undefined {
	if (!context.getNode().retryOnFail) return undefined;
	const run = context.getExecuteData();
	const outcomes = outcomesOfRuns.get(run) ?? new Map<string, ItemOutcome>();
	outcomesOfRuns.set(run, outcomes);
	return outcomes;
}
