import type { INodeExecutionData } from 'n8n-workflow';
import type { Meaning } from './statusMeaning';

export interface ErrorMessage {
	message: string;
	description?: string | null;
	/** Helps to debug. Never an HTTP client's error, which holds the access token. */
	cause?: unknown;
}

/** A failed request was refused by the service, may have been carried out (`unknown`), or never reached it. */
export type FailureKind = 'refused' | 'unknown' | 'notSent';

/** The failure of one item: what happened to it, and what the user can do about it. */
export class ItemError extends Error {
	/** After an unexpected error, the request may have been carried out. */
	readonly kind: FailureKind = 'unknown';
	readonly description: ErrorMessage['description'];

	constructor({ message, description, cause }: ErrorMessage) {
		super(message, { cause });
		this.description = description;
	}
}

/** Why an item, or the rest of a list, was kept from being sent. */
export class NotSentError extends ItemError {
	override readonly kind = 'notSent';
}

// The reasons with which a batch is stopped. ApiClient has one more, with the wait that the service asked for.
export const BATCH_FAILED = new NotSentError({ message: 'Not sent: another item failed' });
export const STOPPED = new NotSentError({ message: 'Not sent: the execution was stopped' });

/** After this many failures in a row, the service is down or the token refused: the others would fail, too. */
export const MAX_OUTAGES = 3;

export const SERVICE_DOWN = new NotSentError({
	message: `Not sent: ${MAX_OUTAGES} requests in a row failed`,
	description: 'Fix the cause shown in their errors, then run the workflow again.',
});

export class ApiError extends ItemError {
	/** @param httpStatus of the last response, if there was one */
	constructor(
		message: ErrorMessage,
		override readonly kind: FailureKind,
		readonly httpStatus?: number,
		private readonly scope?: Meaning['scope'],
	) {
		super(message);
	}

	/** Other requests would fail, too: the service is down, busy, or elsewhere, or refuses this token, account, or n8n. */
	get countsAsOutage(): boolean {
		return this.kind !== 'refused' || this.scope === 'all';
	}

	/** The service refused this request's content, so others may go through. */
	get isAboutData(): boolean {
		return this.kind === 'refused' && this.scope === 'request';
	}
}

export type ItemOutput = Pick<INodeExecutionData, 'json' | 'binary'>;

export type ItemOutcome =
	| { kind: 'succeeded'; output: ItemOutput }
	/** It broke a rule, may have been invited before, or wasn't sent; or its request failed. */
	| { kind: 'invalid' | FailureKind; error: Error }
	/** It was sent before, or with an earlier item of the list, which is fine. One in doubt counts as sent from now on. */
	| { kind: 'alreadySent' | 'duplicate'; reason: string; wasInDoubt?: boolean }
	/** It would be sent, but was only checked. */
	| { kind: 'ready' };
