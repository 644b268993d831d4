/** What a user reads: what happened, and what to do about it. */
export interface ErrorMessage {
	message: string;
	description?: string;
	/** Which of the node's options helps, where it has them. */
	option?: string;
}

/** Messages for HTTP statuses. */
export type StatusMessages = Readonly<Record<number, ErrorMessage>>;

/** What an operation says of a request that failed. */
export interface MessageOptions {
	/** Messages for HTTP statuses that mean something of their own to this operation. */
	statusMessages?: StatusMessages;
	/** What to say when it may have been carried out and must not be repeated. */
	unknownOutcome?: ErrorMessage;
	/** Whether the user can't set how it is sent: then no error names an option. */
	hasNoOptions?: boolean;
}

/** What a failed request means for its sender. */
export type RequestOutcome =
	/** The service said no. */
	| 'refused'
	/** The service may have carried it out. */
	| 'unknown'
	/** It never reached the service. */
	| 'notSent';
