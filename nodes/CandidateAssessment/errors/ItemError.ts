import type { StatusMeaning } from './statusMeaning';

export interface ErrorMessage {
	message: string;
	description?: string;
}

export type StatusMessages = Readonly<Record<number, ErrorMessage>>;

/** An operation's own words for a request that failed. */
export interface MessageOptions {
	/** Messages for HTTP statuses that mean something of their own to this operation. */
	statusMessages?: StatusMessages;
	/** For every other failure, in place of the general messages about the service. */
	fallbackMessage?: ErrorMessage;
	/** For a request that may have been carried out, and must not be repeated. */
	unknownOutcome?: ErrorMessage;
}

/** What is certain about a request that failed. */
export type Certainty =
	/** The service said no. */
	| 'refused'
	/** The service may have carried it out. */
	| 'unknown'
	/** It never reached the service. */
	| 'notSent';

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
	readonly certainty: Certainty = 'notSent';
}

/** The final failure of a request. */
export class ApiError extends ItemError {
	/** @param httpStatus of the last response, if there was one */
	constructor(
		message: ErrorMessage,
		readonly certainty: Certainty,
		readonly httpStatus?: number,
		private readonly scope?: StatusMeaning['scope'],
	) {
		super(message);
	}

	/** The service is down, busy, or elsewhere, or it or a proxy takes nothing from this token, this account, or this n8n. */
	get isOutage(): boolean {
		return this.certainty !== 'refused' || this.scope === 'all';
	}

	/** It was refused for what it holds, so other requests may go through. */
	get isAboutData(): boolean {
		return this.certainty === 'refused' && this.scope === 'request';
	}
}

/** What is certain about a request that ended with this error. If nobody expected it, it may have been carried out. */
export function certaintyOf(error: unknown): Certainty {
	const isKnown = error instanceof ApiError || error instanceof NotSentError;
	return isKnown ? error.certainty : 'unknown';
}
