import type { IExecuteFunctions } from 'n8n-workflow';
import type { Operation } from '../actions/operation';
import { toNodeError } from '../errors/toNodeError';
import { formatBatchReport, indexesBy, itemName, itemRanges } from './batchReport';
import type { PreparedItem } from './prepareItems';
import { isFailure, type ItemOutcome } from './ItemOutcome';
import { BATCH_FAILED } from './runBatch';

export const NOTHING_SENT = 'Nothing was sent.';

/**
 * Throws `NodeOperationError` if an item broke a rule, before anything is sent. It names every such
 * item; the same mistake in many items is said once.
 */
export function throwIfInvalid(context: IExecuteFunctions, items: readonly PreparedItem[]): void {
	const messageOf = (item: PreparedItem) =>
		item.kind === 'invalid' ? item.error.message : undefined;
	const [first, ...others] = [...indexesBy(items, messageOf)];
	if (!first) return;
	const named = ([, indexes]: [string, number[]]) =>
		indexes.length === 1 ? itemName(indexes[0], items[indexes[0]].reference) : itemRanges(indexes);
	const [index] = first[1];
	const { error } = items[index] as Extract<PreparedItem, { kind: 'invalid' }>;
	throw toNodeError(context, error, {
		prefix: items.length > 1 ? `${capitalized(named(first))}: ` : '',
		details: [
			NOTHING_SENT,
			...others.map((other) => `${capitalized(named(other))}: ${other[0]}`),
		].join('\n'),
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
