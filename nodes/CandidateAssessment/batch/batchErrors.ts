import type { IExecuteFunctions } from 'n8n-workflow';
import type { Operation } from '../actions/operation';
import { toNodeError } from '../errors/toNodeError';
import { formatBatchReport, indexesBy, itemName, itemRanges } from './batchReport';
import type { PreparedItem } from './prepareItems';
import { isFailure, type ItemOutcome } from '../actions/ItemOutcome';
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
	const receipt = (outcome: ItemOutcome) =>
		outcome.kind === 'succeeded' ? operation.receipt?.(outcome.output.json) : undefined;
	throw toNodeError(context, failed.error, {
		prefix: isNamed ? `${capitalized(itemName(index, items[index].reference))}: ` : '',
		details: isSeveral ? formatBatchReport(outcomes, items, receipt) : '',
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
