import { ApiError } from '../errors/messages';
import type { Outcome } from './runBatch';

/**
 * What became of every item of a batch that did not go through whole, so that a second run can be
 * limited to what is missing and nobody is invited twice.
 * @param references what tells each item to the user, by item; may be missing
 */
export function formatBatchReport(
	outcomes: readonly Outcome[],
	references: ReadonlyArray<string | undefined>,
): string {
	return GROUPS.map(([title, belongs]) => {
		const items = outcomes.flatMap((outcome, index) =>
			belongs(outcome) ? [itemName(index, references[index])] : [],
		);
		return items.length && `${title} (${items.length}): ${items.join(', ')}.`;
	})
		.filter(Boolean)
		.join('\n');
}

/** Items are counted from 1, as people do. */
export function itemNumber(index: number): number {
	return index + 1;
}

const GROUPS: Array<[string, (outcome: Outcome) => boolean]> = [
	['Went through', ({ kind }) => kind === 'success'],
	['Not known', (outcome) => outcome.kind === 'failed' && isOutcomeUnknown(outcome.error)],
	['Failed', (outcome) => outcome.kind === 'failed' && !isOutcomeUnknown(outcome.error)],
	['Never sent', ({ kind }) => kind === 'notSent'],
];

function isOutcomeUnknown(problem: Error): boolean {
	return problem instanceof ApiError && problem.isOutcomeUnknown;
}

function itemName(index: number, reference?: string): string {
	const name = `item ${itemNumber(index)}`;
	return reference ? `${name} (${reference})` : name;
}
