import type { ErrorMessage, RequestOutcome } from './types';

/** An item that failed, in words for the user: what became of it, and what to do about it. */
export class ItemError extends Error {
	readonly description?: string;

	constructor(
		{ message, description }: ErrorMessage,
		readonly outcome: RequestOutcome,
	) {
		super(message);
		this.description = description;
	}
}
