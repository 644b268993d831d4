import type { ErrorMessage, RequestOutcome } from './types';

/** The failure of one item: what became of it, and what the user can do about it. */
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

interface ApiErrorOptions {
	outcome: RequestOutcome;
	/** Of the last response, if there was one. */
	httpStatus?: number;
	/** An earlier attempt may have been carried out. */
	isRepeated?: boolean;
	/** As long as the service asks to wait, in milliseconds. */
	wait?: number;
}

/** The final failure of a request. */
export class ApiError extends ItemError {
	/** The service may have carried out this attempt or an earlier one. */
	readonly mayBeCarriedOut: boolean;

	readonly httpStatus?: number;
	readonly wait?: number;

	constructor(message: ErrorMessage, { outcome, httpStatus, isRepeated, wait }: ApiErrorOptions) {
		super(message, outcome);
		this.httpStatus = httpStatus;
		this.wait = wait;
		this.mayBeCarriedOut = isRepeated === true || outcome === 'unknown';
	}
}
