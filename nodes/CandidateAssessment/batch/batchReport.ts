import type { IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome, Operation } from '../actions/operation';
import { ApiError } from '../errors/ItemError';
import { messageWithAdvice, toNodeError, type Advice } from '../errors/toNodeError';
import type { PreparedItem } from './prepareItems';
import { BATCH_FAILED } from './runBatch';

export const NOTHING_SENT = 'Nothing was sent.';

/** A message names at most this many items or ranges. In a description, more items than this share a line. */
const MAX_NAMED = 10;

interface Batch {
	context: IExecuteFunctions;
	operation: Operation;
	items: readonly PreparedItem[];
}

type Outcomes = ReadonlyArray<ItemOutcome | undefined>;

/**
 * Throws if an item keeps a list from being sent. The message counts such items, and names the first mistake. The
 * description has all mistakes, with their items, and what became of every other item.
 */
export function throwIfUnsendable({ context, operation, items }: Batch, outcomes: Outcomes): void {
	const mistakes = mistakesIn(outcomes);
	if (mistakes.length === 0) return;
	const failures = mistakes.flat();
	const [{ kind, error }] = failures;
	const what = isAnySent(outcomes) ? 'Nothing else' : 'Nothing';
	const summary = `${what} was ${operation.isRead ? 'retrieved' : 'sent'}.`;
	const isCounted = failures.length > 1 && kind !== 'notSent';
	let prefix = prefixOf(mistakes[0], items);
	let listed = mistakes.slice(1);
	if (isCounted) {
		const areInvalid = failures.every((failure) => failure.kind === 'invalid');
		const need = areInvalid ? 'need correction' : 'need attention';
		prefix = `${count(failures.length)} of ${count(items.length)} items ${need}. ${summary} ${prefix}`;
		// The report doesn't have what is invalid, so the lines have all of it.
		if (kind === 'invalid') listed = mistakes;
	}
	throw toNodeError(context, error, {
		prefix,
		details: joined(
			isCounted ? '' : summary,
			...linesOf(listed, items, error.description),
			formatBatchReport(operation, items, outcomes),
		),
	});
}

/** Throws if an item failed. The message has its cause; the description has all others, and what became of every item. */
export function throwIfFailed(
	{ context, operation, items }: Batch,
	outcomes: readonly ItemOutcome[],
	warnings: Iterable<string>,
): void {
	const mistakes = mistakesIn(outcomes);
	const [mistake, ...others] = mistakes;
	if (!mistake) return;
	const [{ error }] = mistake;
	throw toNodeError(context, error, {
		prefix: subjectOf(mistakes, { context, operation, items }, outcomes),
		details: joined(
			items.length > 1 && error instanceof ApiError && error.isAboutData ? REFUSED_ADVICE : '',
			// n8n shows no hint of a run that fails.
			...warnings,
			...linesOf(others, items, error.description),
			outcomes.some((outcome, index) => isSuccess(outcome) && isSentOnce(items[index]))
				? RUN_AGAIN
				: '',
			formatBatchReport(operation, items, outcomes),
		),
	});
}

/**
 * In front of the message: whose mistake it is. Of a refused token, an outage, a proxy, or a wrong address no item is to
 * blame, so it's how many are missing.
 */
function subjectOf(
	mistakes: Failure[][],
	{ operation: { once, isRead }, items }: Batch,
	outcomes: readonly ItemOutcome[],
): string {
	const [mistake] = mistakes;
	const [{ kind, error }] = mistake;
	if (!(error instanceof ApiError)) {
		// What kept a batch from going on says so itself.
		return kind === 'notSent' && mistakes.flat().length > 1 ? '' : prefixOf(mistake, items);
	}
	// Whom an outage hit, somebody has to look up.
	if (!error.isOutage || kind === 'unknown' || items.length === 1) return prefixOf(mistake, items);
	const missing = outcomes.filter((each) => !['succeeded', 'alreadySent'].includes(each.kind));
	const notSent = once
		? 'candidates were not invited'
		: `items were not ${isRead ? 'retrieved' : 'sent'}`;
	return `${count(missing.length)} of ${count(items.length)} ${notSent}: `;
}

/** Otherwise the same item keeps the others from being sent in every run. */
const REFUSED_ADVICE =
	"Correct this item or leave it out, then run the list again. To send the others in any case, set 'On Error' to continue in the node's settings.";

/** n8n shows no output of a run that fails. */
const RUN_AGAIN =
	"What succeeded isn't sent again. The next run of this list with the same credential outputs it with its link, unless n8n restarts first, or in queue mode, another worker runs it.";

function isSentOnce(item: PreparedItem): boolean {
	const choice = item.kind === 'ready' ? item.application?.ifAlreadySent : undefined;
	return choice !== undefined && choice !== 'inviteAgain';
}

function joined(...lines: string[]): string {
	return lines.filter(Boolean).join('\n');
}

function isAnySent(outcomes: Outcomes): boolean {
	return outcomes.some(
		(outcome) =>
			isSuccess(outcome) ||
			// By an earlier try of Retry On Fail. What the memory holds in doubt is no error of a request.
			(outcome?.kind === 'unknown' && outcome.error instanceof ApiError),
	);
}

function isSuccess(outcome?: ItemOutcome): boolean {
	return outcome?.kind === 'succeeded';
}

type Failure = Extract<ItemOutcome, { error: Error }> & { index: number; error: Advice };

/**
 * The failures with the same words, in input order. Items that weren't sent say the least about the cause: they count
 * if there are no others.
 */
function mistakesIn(outcomes: Outcomes): Failure[][] {
	const failures = outcomes.flatMap((outcome, index) =>
		outcome && 'error' in outcome && outcome.error !== BATCH_FAILED ? { ...outcome, index } : [],
	);
	const causes = failures.filter(({ kind }) => kind !== 'notSent');
	const counting = causes.length > 0 ? causes : failures;
	return [...groupBy(counting, ({ error }) => messageWithAdvice(error)).values()];
}

/** @param said the advice that the description begins with */
function linesOf(
	mistakes: Failure[][],
	items: readonly PreparedItem[],
	said: Advice['description'],
): string[] {
	return mistakes.flatMap((mistake) => {
		const [{ kind, error }] = mistake;
		const words = error.description === said ? error.message : messageWithAdvice(error);
		const isShared = kind !== 'invalid' || mistake.length > MAX_NAMED;
		const groups = isShared ? [mistake] : mistake.map((failure) => [failure]);
		return groups.map((group) => `${namesOf(group, items)}: ${words}`);
	});
}

/** Whose mistake it is, in front of the message, if there are others. */
function prefixOf(mistake: Failure[], items: readonly PreparedItem[]): string {
	return items.length > 1 ? `${namesOf(mistake, items, MAX_NAMED)}: ` : '';
}

function namesOf(mistake: Failure[], items: readonly PreparedItem[], max?: number): string {
	const indexes = mistake.map(({ index }) => index);
	const [index] = indexes;
	if (indexes.length > 1) return itemRanges(indexes, { word: 'Items', max });
	return itemName(index, items[index].reference, 'Item');
}

/** By the kind of outcome, in the report's order. The error itself names what is invalid. */
const TITLES: Record<Exclude<ItemOutcome['kind'], 'invalid'>, string> = {
	succeeded: 'Succeeded',
	unknown: 'Unconfirmed',
	refused: 'Refused',
	alreadySent: 'Already invited',
	notSent: 'Not sent',
	ready: 'Ready to send',
};

/** A report on every item of a list that has an outcome, so that the user knows who is missing. */
function formatBatchReport(
	operation: Operation,
	items: readonly PreparedItem[],
	outcomes: Outcomes,
): string {
	if (items.length === 1) return '';
	const byKind = groupBy(
		[...outcomes.keys()],
		(index): string | undefined => outcomes[index]?.kind,
	);
	return Object.entries(TITLES)
		.flatMap(([kind, title]) => {
			const indexes = byKind.get(kind);
			if (!indexes) return [];
			const heading = `${title} (${indexes.length}):`;
			if (['alreadySent', 'notSent'].includes(kind)) return `${heading} ${itemRanges(indexes)}.`;
			const names = indexes.map((index) => itemName(index, items[index]?.reference));
			// The batch has no output, so the report carries the links.
			const links = indexes.map((index) => linkOf(operation, outcomes[index]));
			if (!links.some(Boolean)) return `${heading} ${names.join(', ')}.`;
			const lines = names.map((name, at) => (links[at] ? `${name}: ${links[at]}` : name));
			return [heading, ...lines].join('\n');
		})
		.join('\n');
}

function linkOf({ receipt }: Operation, outcome?: ItemOutcome): string | undefined {
	const link = outcome?.kind === 'succeeded' ? receipt?.(outcome.output.json) : undefined;
	return typeof link === 'string' && link ? link : undefined;
}

/** One item as the user knows it, counted from 1: "APP-1002 (item 2)". */
function itemName(index: number, reference?: string, word = 'item'): string {
	return reference ? `${reference} (item ${index + 1})` : `${word} ${index + 1}`;
}

/** Many items in few words: "items 1–340, 352". Beyond `max` ranges, it only counts the items. */
function itemRanges(
	indexes: readonly number[],
	{ word = indexes.length === 1 ? 'item' : 'items', max = Infinity } = {},
): string {
	const ranges: Array<[number, number]> = [];
	for (const index of indexes) {
		const last = ranges.at(-1);
		if (last && last[1] === index - 1) last[1] = index;
		else ranges.push([index, index]);
	}
	const words = ranges
		.slice(0, max)
		.map(([first, last]) => (first === last ? `${first + 1}` : `${first + 1}–${last + 1}`));
	const others = ranges.slice(max).reduce((sum, [first, last]) => sum + last - first + 1, 0);
	const end = others > 0 ? ` and ${count(others)} more` : '';
	return `${word} ${words.join(', ')}${end}`;
}

const count = (number: number) => number.toLocaleString('en-US');

function groupBy<T, Key>(entries: readonly T[], keyOf: (entry: T) => Key): Map<Key, T[]> {
	const groups = new Map<Key, T[]>();
	for (const entry of entries) {
		const key = keyOf(entry);
		const group = groups.get(key);
		if (group) group.push(entry);
		else groups.set(key, [entry]);
	}
	return groups;
}
