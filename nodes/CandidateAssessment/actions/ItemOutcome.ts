import type { ItemOutput } from './operation';

/** The end of one item of a batch. */
export type ItemOutcome = (
	| { kind: 'succeeded'; output: ItemOutput }
	/** It broke a rule and was never sent. */
	| { kind: 'invalid'; error: Error }
	/** The service said no. */
	| { kind: 'refused'; error: Error }
	/** The service may have carried it out. */
	| { kind: 'unknown'; error: Error }
	/** It never reached the service. */
	| { kind: 'notSent'; error: Error }
	/** It was sent before, and that is fine. */
	| { kind: 'alreadySent'; reason: string }
) & {
	/** Of an earlier execution, try or item: nothing was sent for this one. */
	fromEarlierExecution?: true;
};

/** True where something went wrong in this batch. */
export function isFailure({ kind, fromEarlierExecution }: ItemOutcome): boolean {
	const isInDoubt = kind === 'unknown' && fromEarlierExecution;
	return kind !== 'succeeded' && kind !== 'alreadySent' && !isInDoubt;
}
