import type { INodeExecutionData } from 'n8n-workflow';
import type { FailureKind } from './ItemError';

export type ItemOutput = Pick<INodeExecutionData, 'json' | 'binary'>;

export type ItemOutcome =
	| { kind: 'succeeded'; output: ItemOutput }
	/** It broke a rule, may have been invited before, or wasn't sent; or its request failed. */
	| { kind: 'invalid' | FailureKind; error: Error }
	/** It was sent before, or with an earlier item of the list, which is fine. One in doubt counts as sent from now on. */
	| { kind: 'alreadySent' | 'duplicate'; reason: string; wasInDoubt?: boolean }
	/** It would be sent, but was only checked. */
	| { kind: 'ready' };
