import type { ItemOutcome } from '../actions/ItemOutcome';
import type { PreparedItem } from './prepareItems';

/** By the kind of outcome, in the report's order. */
const TITLES: Record<ItemOutcome['kind'], string> = {
	succeeded: 'Succeeded',
	unknown: 'Unknown',
	refused: 'Failed',
	invalid: 'Invalid',
	alreadySent: 'Already invited',
	notSent: 'Not sent',
};

/**
 * What became of every item of a batch that failed, so that the user knows who is missing.
 * @param receipt what the user must still get of an item that succeeded, since no output will carry it
 */
export function formatBatchReport(
	outcomes: readonly ItemOutcome[],
	items: ReadonlyArray<Pick<PreparedItem, 'reference'>>,
	receipt: (outcome: ItemOutcome) => unknown,
): string {
	const byKind = indexesBy(outcomes, ({ kind }) => kind);
	return Object.entries(TITLES)
		.flatMap(([kind, title]) => {
			const indexes = byKind.get(kind);
			if (!indexes) return [];
			const heading = `${title} (${indexes.length}):`;
			if (['alreadySent', 'notSent'].includes(kind)) return `${heading} ${itemRanges(indexes)}.`;
			const lines = indexes.map((index) => {
				const link = receipt(outcomes[index]);
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
export function itemName(index: number, reference?: string): string {
	const name = `item ${index + 1}`;
	return reference ? `${reference} (${name})` : name;
}

/** Many items in few words: "items 1–340, 352". */
export function itemRanges(indexes: readonly number[]): string {
	const ranges: Array<[number, number]> = [];
	for (const index of indexes) {
		const last = ranges.at(-1);
		if (last && last[1] === index - 1) last[1] = index;
		else ranges.push([index, index]);
	}
	const words = ranges.map(([first, last]) =>
		first === last ? `${first + 1}` : `${first + 1}–${last + 1}`,
	);
	return `${indexes.length === 1 ? 'item' : 'items'} ${words.join(', ')}`;
}

/** The indexes of the entries that have a key in common, by key. */
export function indexesBy<T>(
	entries: readonly T[],
	keyOf: (entry: T) => string | undefined,
): Map<string, number[]> {
	const found = new Map<string, number[]>();
	entries.forEach((entry, index) => {
		const key = keyOf(entry);
		if (key === undefined) return;
		const indexes = found.get(key);
		if (indexes) indexes.push(index);
		else found.set(key, [index]);
	});
	return found;
}
