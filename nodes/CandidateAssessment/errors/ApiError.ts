import type { ErrorMessage, FailureOutcome } from '../transport/types';

/** A request that failed for good, or was not sent, in words for the user. */
export class ApiError extends Error {
	readonly description?: string;

	/** @param httpStatus of the last response, if there was one */
	constructor(
		{ message, description }: ErrorMessage,
		readonly outcome: FailureOutcome,
		readonly httpStatus?: number,
	) {
		super(message);
		this.description = description;
	}
}
