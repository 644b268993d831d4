import type { ItemOutcome } from './ItemOutcome';
import type { PreparedItem } from './prepareItems';

/**
 * What became of every item of a batch that failed, so that the user knows who is missing.
 * @param receipt what the user must still get of an item that succeeded, since no output will carry it
 */
export function formatBatchReport(
	outcomes: readonly ItemOutcome[],
	items: ReadonlyArray<Pick<PreparedItem, 'reference'>>,
	receipt: (outcome: ItemOutcome) => unknown,
): string {
	return [...indexesBy(outcomes, titleOf)]
		.sort(([one], [other]) => TITLES.indexOf(one) - TITLES.indexOf(other))
		.map(([title, indexes]) => {
			const heading = `${title} (${indexes.length}):`;
			if (title === NOT_SENT || title === ALREADY_INVITED)
				return `${heading} ${itemRanges(indexes)}.`;
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

const ALREADY_INVITED = 'Already invited';
const NOT_SENT = 'Not sent';
const TITLES = ['Succeeded', 'Unknown', 'Failed', 'Invalid', ALREADY_INVITED, NOT_SENT];

function titleOf(outcome: ItemOutcome): string {
	switch (outcome.kind) {
		case 'succeeded':
			return 'Succeeded';
		case 'unknown':
			return 'Unknown';
		case 'refused':
			return 'Failed';
		case 'invalid':
			return 'Invalid';
		case 'alreadySent':
			return ALREADY_INVITED;
		case 'notSent':
			return NOT_SENT;
		default:
			return outcome satisfies never;
	}
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
