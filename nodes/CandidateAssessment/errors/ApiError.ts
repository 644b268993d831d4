import type { ErrorMessage, FailureOutcome } from '../transport/types';

/** A request that failed for good, or was not sent, in words for the user. */
export class ApiError extends Error {
	readonly description?: string;

	/** Whether the service may have carried it out, in an earlier attempt too. */
	readonly mayBeCarriedOut: boolean;

	/**
	 * @param httpStatus of the last response, if there was one
	 * @param isRepeated whether an earlier attempt may have been carried out
	 */
	constructor(
		{ message, description }: ErrorMessage,
		readonly outcome: FailureOutcome,
		readonly httpStatus?: number,
		isRepeated = false,
	) {
		super(message);
		this.description = description;
		this.mayBeCarriedOut = isRepeated || outcome === 'unknown';
	}
}
