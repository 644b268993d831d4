import type { RequestOutcome } from '../errors/types';
import type { ItemOutput } from './operation';

/** The end of one item of a batch. */
export type ItemOutcome =
	| { kind: 'succeeded'; output: ItemOutput }
	/** It broke a rule and was never sent, or its request failed. */
	| { kind: 'invalid' | RequestOutcome; error: Error }
	/** It was sent before, and that is fine. */
	| { kind: 'alreadySent'; reason: string }
	/** It would be sent, but was only checked. */
	| { kind: 'ready' };

export function isFailure(outcome: ItemOutcome): outcome is Extract<ItemOutcome, { error: Error }> {
	return 'error' in outcome;
}
