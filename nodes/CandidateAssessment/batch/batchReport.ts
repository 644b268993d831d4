import type { IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome, Operation } from '../actions/operation';
import { messageWithAdvice, toNodeError } from '../errors/toNodeError';
import type { PreparedItem } from './prepareItems';
import { BATCH_FAILED } from './runBatch';

export const NOTHING_SENT = 'Nothing was sent.';

/** Items, or ranges of items, that a message names at most. */
const MAX_NAMED = 10;

/**
 * Throws if an item failed. The error says what became of every item, and names a mistake that many items
 * share once.
 */
export function throwIfFailed(
	context: IExecuteFunctions,
	operation: Operation,
	items: readonly PreparedItem[],
	outcomes: ReadonlyArray<ItemOutcome | undefined>,
	{ isSent }: { isSent: boolean },
): void {
	const failures = outcomes.map((outcome) =>
		outcome && 'error' in outcome && outcome.error !== BATCH_FAILED ? outcome : undefined,
	);
	// An item that wasn't sent explains least.
	const isExplained = failures.some((failure) => failure && failure.kind !== 'notSent');
	const errors = failures.map((failure) =>
		isExplained && failure?.kind === 'notSent' ? undefined : failure?.error,
	);
	const error = errors.find(Boolean);
	if (!error) return;
	const isSeveral = items.length > 1;
	const nameOf = (indexes: number[], max?: number) => {
		const [index] = indexes;
		const isOne = indexes.length === 1;
		const name = isOne ? itemName(index, items[index].reference) : itemRanges(indexes, max);
		return name.replace(/^item(?=s? \d)/, 'Item');
	};
	const mistakes = [...indexesBy(errors, (each) => each && messageWithAdvice(each))];
	const lines = mistakes.map(([words, indexes]) => `${nameOf(indexes)}: ${words}`);
	const name = nameOf(mistakes[0][1], MAX_NAMED);
	if (lines[0].startsWith(name)) lines.shift();
	const isAnySent = outcomes.some((outcome) => outcome?.kind === 'succeeded');
	const summary = isAnySent ? 'Nothing else was sent.' : NOTHING_SENT;
	const details = [
		isSent ? '' : summary,
		...lines,
		isSeveral ? formatBatchReport(operation, items, outcomes) : '',
	];
	throw toNodeError(context, error, {
		prefix: isSeveral && (isExplained || !isSent) ? `${name}: ` : '',
		details: details.filter(Boolean).join('\n'),
	});
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
export function formatBatchReport(
	operation: Pick<Operation, 'receipt'>,
	items: ReadonlyArray<Pick<PreparedItem, 'reference'>>,
	outcomes: ReadonlyArray<ItemOutcome | undefined>,
): string {
	const byKind = indexesBy(outcomes, (outcome) => outcome?.kind);
	return Object.entries(TITLES)
		.flatMap(([kind, title]) => {
			const indexes = byKind.get(kind);
			if (!indexes) return [];
			const heading = `${title} (${indexes.length}):`;
			if (['alreadySent', 'notSent'].includes(kind)) return `${heading} ${itemRanges(indexes)}.`;
			const lines = indexes.map((index) => {
				const outcome = outcomes[index];
				// No output will carry the link.
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
function itemName(index: number, reference?: string): string {
	const name = `item ${index + 1}`;
	return reference ? `${reference} (${name})` : name;
}

/** Many items in few words: "items 1–340, 352". Beyond `max` ranges, it only counts the items. */
function itemRanges(indexes: readonly number[], max = Infinity): string {
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
	const end = others > 0 ? ` and ${others.toLocaleString('en-US')} more` : '';
	return `${indexes.length === 1 ? 'item' : 'items'} ${words.join(', ')}${end}`;
}

function indexesBy<T>(entries: readonly T[], keyOf: (entry: T) => string | undefined) {
	const byKey = new Map<string, number[]>();
	entries.forEach((entry, index) => {
		const key = keyOf(entry);
		if (key === undefined) return;
		const indexes = byKey.get(key) ?? [];
		indexes.push(index);
		byKey.set(key, indexes);
	});
	return byKey;
}
