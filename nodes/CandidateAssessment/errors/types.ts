/** A message for the user, and advice in its description. */
export interface ErrorMessage {
	message: string;
	description?: string;
	/** Which of the node's options helps, where it has them. */
	option?: string;
}

/** Messages for HTTP statuses. */
export type StatusMessages = Readonly<Record<number, ErrorMessage>>;

/** An operation's own words for a request that failed. */
export interface MessageOptions {
	/** Messages for HTTP statuses that mean something of their own to this operation. */
	statusMessages?: StatusMessages;
	/** For every other failure, if it has nothing to do with the service's address. */
	otherFailures?: ErrorMessage;
	/** For a request that may have been carried out and must not be repeated. */
	unknownOutcome?: ErrorMessage;
	/** The user can't set how it is sent: no error names an option. */
	hasNoOptions?: boolean;
}

/** The certainty about a request that failed. */
export type RequestOutcome =
	/** The service said no. */
	| 'refused'
	/** The service may have carried it out. */
	| 'unknown'
	/** It never reached the service. */
	| 'notSent';
