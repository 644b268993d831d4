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
}

/** The final failure of a request. */
export class ApiError extends ItemError {
	readonly httpStatus?: number;

	constructor(message: ErrorMessage, { outcome, httpStatus }: ApiErrorOptions) {
		super(message, outcome);
		this.httpStatus = httpStatus;
	}

	/** The service is down, or takes nothing from this sender. */
	get isUnanswered(): boolean {
		return this.outcome !== 'refused' || this.httpStatus === 401;
	}
}
