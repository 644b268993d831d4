import type { StatusMeaning } from './statusMeaning';

export interface ErrorMessage {
	message: string;
	description?: string;
}

export type StatusMessages = Readonly<Record<number, ErrorMessage>>;

/** An operation's own words for a request that failed. */
export interface MessageOptions {
	/** For HTTP statuses with a meaning of their own to this operation. */
	statusMessages?: StatusMessages;
	/** For every other failure, in place of the general messages. */
	fallbackMessage?: ErrorMessage;
	/** For a request that may have been carried out, and must not be repeated. */
	unknownOutcome?: ErrorMessage;
}

/** A failed request was refused by the service, may have been carried out (`unknown`), or never reached it. */
export type FailureKind = 'refused' | 'unknown' | 'notSent';

/** The failure of one item: what happened to it, and what the user can do about it. */
export class ItemError extends Error {
	readonly description?: string;

	constructor({ message, description }: ErrorMessage) {
		super(message);
		this.description = description;
	}
}

/** Why an item, or the rest of a list, was kept from being sent. */
export class NotSentError extends ItemError {
	readonly kind: FailureKind = 'notSent';
}

export class ApiError extends ItemError {
	/** @param httpStatus of the last response, if there was one */
	constructor(
		message: ErrorMessage,
		readonly kind: FailureKind,
		readonly httpStatus?: number,
		private readonly scope?: StatusMeaning['scope'],
	) {
		super(message);
	}

	/** Other requests would fail, too: the service is down, busy, or elsewhere, or refuses this token, account, or n8n. */
	get wouldFailForAll(): boolean {
		return this.kind !== 'refused' || this.scope === 'all';
	}

	/** The service refused this request's content, so others may go through. */
	get isAboutData(): boolean {
		return this.kind === 'refused' && this.scope === 'request';
	}
}

/** After an unexpected error, the request may have been carried out. */
export function failureKindOf(error: unknown): FailureKind {
	const isKnown = error instanceof ApiError || error instanceof NotSentError;
	return isKnown ? error.kind : 'unknown';
}
