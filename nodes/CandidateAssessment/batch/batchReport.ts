import type { IExecuteFunctions } from 'n8n-workflow';
import { isFailure, type ItemOutcome } from '../actions/ItemOutcome';
import type { Operation } from '../actions/operation';
import { toNodeError } from '../errors/toNodeError';
import type { PreparedItem } from './prepareItems';
import { BATCH_FAILED } from './runBatch';

export const NOTHING_SENT = 'Nothing was sent.';

/**
 * Throws `NodeOperationError` if an item broke a rule, before anything is sent. It names every such
 * item; the same mistake in many items is said once.
 */
export function throwIfInvalid(
	context: IExecuteFunctions,
	items: readonly PreparedItem[],
	outcomes: ReadonlyArray<ItemOutcome | undefined>,
): void {
	const invalid = outcomes.map((outcome) =>
		outcome?.kind === 'invalid' ? outcome.error : undefined,
	);
	const error = invalid.find(Boolean);
	if (!error) return;
	const [first, ...others] = [...indexesBy(invalid, (each) => each?.message)].map(
		([message, indexes]) => {
			const [index] = indexes;
			const name =
				indexes.length > 1 ? itemRanges(indexes) : itemName(index, items[index].reference);
			return { name: capitalized(name), message };
		},
	);
	throw toNodeError(context, error, {
		prefix: items.length > 1 ? `${first.name}: ` : '',
		details: [NOTHING_SENT, ...others.map(({ name, message }) => `${name}: ${message}`)].join('\n'),
	});
}

/** Throws an error with a report of the batch if not all of it went through. */
export function throwIfIncomplete(
	context: IExecuteFunctions,
	operation: Operation,
	items: readonly PreparedItem[],
	outcomes: readonly ItemOutcome[],
): void {
	const index = firstFailure(outcomes);
	const failed = outcomes[index];
	if (!failed || failed.kind === 'succeeded' || failed.kind === 'alreadySent') return;
	const isSeveral = items.length > 1;
	const isNamed = isSeveral && failed.kind !== 'notSent';
	throw toNodeError(context, failed.error, {
		prefix: isNamed ? `${capitalized(itemName(index, items[index].reference))}: ` : '',
		details: isSeveral ? formatBatchReport(operation, items, outcomes) : '',
	});
}

/** The item whose error explains best why the batch is incomplete. */
function firstFailure(outcomes: readonly ItemOutcome[]): number {
	const causes: Array<(outcome: ItemOutcome) => boolean> = [
		(outcome) => isFailure(outcome) && outcome.kind !== 'notSent',
		(outcome) => outcome.kind === 'notSent' && outcome.error !== BATCH_FAILED,
		({ kind }) => kind === 'unknown',
	];
	const found = causes.map((isCause) => outcomes.findIndex(isCause));
	return found.find((index) => index >= 0) ?? -1;
}

/** Only our own word: a reference stays as it was written. */
function capitalized(text: string): string {
	return text.replace(/^item(?=s? \d)/, 'Item');
}

/** By the kind of outcome, in the report's order. */
const TITLES: Record<ItemOutcome['kind'], string> = {
	succeeded: 'Succeeded',
	unknown: 'Unknown',
	refused: 'Failed',
	invalid: 'Invalid',
	alreadySent: 'Already invited',
	notSent: 'Not sent',
};

/** Every item of a batch that failed, by its outcome, so that the user knows who is missing. */
export function formatBatchReport(
	operation: Pick<Operation, 'receipt'>,
	items: ReadonlyArray<Pick<PreparedItem, 'reference'>>,
	outcomes: readonly ItemOutcome[],
): string {
	const byKind = indexesBy(outcomes, ({ kind }) => kind);
	return Object.entries(TITLES)
		.flatMap(([kind, title]) => {
			const indexes = byKind.get(kind);
			if (!indexes) return [];
			const heading = `${title} (${indexes.length}):`;
			if (['alreadySent', 'notSent'].includes(kind)) return `${heading} ${itemRanges(indexes)}.`;
			const lines = indexes.map((index) => {
				const outcome = outcomes[index];
				// No output will carry it.
				const link = outcome.kind === 'succeeded' && operation.receipt?.(outcome.output.json);
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
function indexesBy<T>(
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
