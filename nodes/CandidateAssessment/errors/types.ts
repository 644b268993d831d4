/** What a user reads: what happened, and what to do about it. */
export interface ErrorMessage {
	message: string;
	description?: string;
	/** Which of the node's options helps, where it has them. */
	option?: string;
}

/** Messages for HTTP statuses. */
export type StatusMessages = Readonly<Record<number, ErrorMessage>>;

/** What a failed request means for its sender. */
export type RequestOutcome =
	/** The service said no. */
	| 'refused'
	/** The service may have carried it out. */
	| 'unknown'
	/** It never reached the service. */
	| 'notSent';
