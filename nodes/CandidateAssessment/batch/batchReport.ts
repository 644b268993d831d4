import type { IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome, Operation } from '../actions/operation';
import { ApiError } from '../errors/ItemError';
import { messageWithAdvice, toNodeError, type Advice } from '../errors/toNodeError';
import type { PreparedItem } from './prepareItems';
import { BATCH_FAILED } from './runBatch';

export const NOTHING_SENT = 'Nothing was sent.';

/** A message names at most this many items or ranges. In a description, more items than this share a line. */
const MAX_NAMED = 10;

/**
 * Throws if an item failed. The message counts what keeps a list from being sent, and names the first mistake.
 * The description has all mistakes, with their items, and what became of every other item.
 */
export function throwIfFailed(
	context: IExecuteFunctions,
	operation: Operation,
	items: readonly PreparedItem[],
	outcomes: ReadonlyArray<ItemOutcome | undefined>,
	{ isSent, warnings }: { isSent: boolean; warnings: Iterable<string> },
): void {
	const failures = failuresIn(outcomes);
	if (failures.length === 0) return;
	const [{ kind, error }] = failures;
	const isList = items.length > 1;
	const isCounted = !isSent && failures.length > 1 && kind !== 'notSent';
	const isAnySent = outcomes.some(
		(outcome) =>
			outcome?.kind === 'succeeded' ||
			// By an earlier try of Retry On Fail. What the memory holds in doubt is no error of a request.
			(outcome?.kind === 'unknown' && outcome.error instanceof ApiError),
	);
	const summary = isAnySent ? 'Nothing else was sent.' : NOTHING_SENT;
	const mistakes = [...groupBy(failures, ({ error }) => messageWithAdvice(error)).values()];
	let prefix = '';
	if (isCounted) {
		const areInvalid = failures.every((failure) => failure.kind === 'invalid');
		const need = areInvalid ? 'need correction' : 'need attention';
		prefix = `${count(failures.length)} of ${count(items.length)} items ${need}. ${summary} `;
	}
	// What stops a whole batch isn't about one item.
	const isAboutItems = isList && !(isSent && kind === 'notSent' && failures.length > 1);
	if (isAboutItems) prefix += `${namesOf(mistakes[0], items, MAX_NAMED)}: `;
	// The message has the first mistake, and the report its items, unless they are invalid.
	const listed = isCounted && kind === 'invalid' ? mistakes : mistakes.slice(1);
	const details = [
		isSent ? '' : summary,
		// n8n shows no hint of a run that fails.
		...warnings,
		...listed.flatMap((mistake) => linesOf(mistake, items, error.description)),
		isList ? formatBatchReport(operation, items, outcomes) : '',
	];
	throw toNodeError(context, error, { prefix, details: details.filter(Boolean).join('\n') });
}

type Failure = Extract<ItemOutcome, { error: Error }> & { index: number; error: Advice };

/** In input order. Items that weren't sent say the least about the cause: they count if there are no others. */
function failuresIn(outcomes: ReadonlyArray<ItemOutcome | undefined>): Failure[] {
	const failures = outcomes.flatMap((outcome, index) =>
		outcome && 'error' in outcome && outcome.error !== BATCH_FAILED ? { ...outcome, index } : [],
	);
	const causes = failures.filter(({ kind }) => kind !== 'notSent');
	return causes.length > 0 ? causes : failures;
}

/** @param said the advice that the description begins with */
function linesOf(
	mistake: Failure[],
	items: readonly PreparedItem[],
	said: Advice['description'],
): string[] {
	const [{ kind, error }] = mistake;
	const words = error.description === said ? error.message : messageWithAdvice(error);
	const isShared = kind !== 'invalid' || mistake.length > MAX_NAMED;
	const groups = isShared ? [mistake] : mistake.map((failure) => [failure]);
	return groups.map((group) => `${namesOf(group, items)}: ${words}`);
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
	unknown: 'Unknown',
	refused: 'Failed',
	alreadySent: 'Already invited',
	notSent: 'Not sent',
	ready: 'Ready',
};

/** A report on every item that has an outcome, so that the user knows who is missing. */
function formatBatchReport(
	operation: Pick<Operation, 'receipt'>,
	items: ReadonlyArray<Pick<PreparedItem, 'reference'>>,
	outcomes: ReadonlyArray<ItemOutcome | undefined>,
): string {
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
			const lines = indexes.map((index) => {
				const outcome = outcomes[index];
				// The batch has no output, so the report carries the link.
				const link = outcome?.kind === 'succeeded' && operation.receipt?.(outcome.output.json);
				const name = itemName(index, items[index]?.reference);
				return typeof link === 'string' && link ? `${name}: ${link}` : name;
			});
			return lines.some((line) => line.includes(': '))
				? [heading, ...lines].join('\n')
				: `${heading} ${lines.join(', ')}.`;
		})
		.join('\n');
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
