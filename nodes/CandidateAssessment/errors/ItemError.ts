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

/** A request that failed for good, in words for the user. */
export class ApiError extends ItemError {
	/** The service may have carried it out, in an earlier attempt too. */
	readonly mayBeCarriedOut: boolean;

	/**
	 * @param httpStatus of the last response, if there was one
	 * @param isRepeated an earlier attempt may have been carried out
	 * @param wait that the service asks for, in milliseconds
	 */
	constructor(
		message: ErrorMessage,
		outcome: RequestOutcome,
		readonly httpStatus?: number,
		isRepeated = false,
		readonly wait?: number,
	) {
		super(message, outcome);
		this.mayBeCarriedOut = isRepeated || outcome === 'unknown';
	}
}
