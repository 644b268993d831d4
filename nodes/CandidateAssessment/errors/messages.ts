import type { ApiCredentials } from '../transport/credentials';
import type { Attempt, ErrorMessage, ApiRequest, StatusMessages } from '../transport/types';
import { parseRetryAfter } from '../transport/retryPolicy';
import { extractErrorMessage } from './extractErrorMessage';

/** A request that failed for good, with the words for the user. */
export class ApiError extends Error {
	readonly description?: string;
	/** The HTTP status, where there was an answer. */
	readonly status?: number;
	/** True where the service may have carried the request out all the same. */
	readonly isOutcomeUnknown: boolean;

	constructor(words: ErrorMessage, request: ApiRequest, attempt: Attempt) {
		super(words.message);
		this.description = words.description;
		this.status = attempt.kind === 'response' ? attempt.status : undefined;
		this.isOutcomeUnknown = mayHaveBeenTaken(request, attempt);
	}
}

/** What each status means to the user, unless an operation has better words. */
export const STATUS_CODE_MESSAGES: Readonly<Record<number | '3xx' | '4xx' | '5xx', ErrorMessage>> =
	{
		400: {
			message: 'The service refused the data',
			description: 'Correct what it names and run the workflow again.',
		},
		401: {
			message: 'The access token was refused',
			description: 'Open the credential and enter a current access token.',
		},
		403: {
			message: 'The access token does not allow this',
			description:
				'Ask the service for a token with this permission, and enter it in the credential.',
		},
		404: {
			message: 'The service does not have what was asked for',
			description: 'Check the IDs, and the Base URL in the credential.',
		},
		409: {
			message: 'The service says that this conflicts with what it already has',
			description: 'Look the candidate or webhook up in the service before you try again.',
		},
		413: {
			message: 'The service says that the data is too large',
			description: 'Shorten long texts, or leave out skills and work experiences.',
		},
		422: {
			message: 'The service refused the data',
			description: 'Correct what it names and run the workflow again.',
		},
		429: {
			message: 'The service is receiving too many requests',
			description: 'Try again later, or lower Concurrency in the options of the node.',
		},
		'3xx': {
			message: 'The service points to another address',
			description:
				'The access token is not sent there. If the service has moved, enter its new address as Base URL in the credential.',
		},
		'4xx': {
			message: 'The service refused the request',
			description: 'Check what you entered, and the Base URL in the credential.',
		},
		'5xx': {
			message: 'The service has a problem of its own',
			description: 'Try again later. If it goes on, tell the people who run the service.',
		},
	};

/** What each kind of lost connection means, by the first matching pattern of its error code. */
export const NETWORK_ERROR_MESSAGES: ReadonlyArray<[RegExp, ErrorMessage]> = [
	[
		/^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/,
		{
			message: 'The service did not answer in time',
			description: 'Try again later, or raise Timeout in the options of the node.',
		},
	],
	[
		/^(ENOTFOUND|EAI_AGAIN|ERR_INVALID_URL)$/,
		{
			message: "The service's address was not found",
			description: 'Check the Base URL in the credential.',
		},
	],
	[
		/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/,
		{
			message: 'The service cannot be reached',
			description: 'Check the Base URL in the credential, and whether the service is running.',
		},
	],
	[
		/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/,
		{
			message: "The connection to the service is not secure: its certificate can't be trusted",
			description: 'Check the Base URL in the credential, or tell the people who run the service.',
		},
	],
	[
		/./,
		{
			message: 'The connection to the service was lost',
			description: 'Try again later.',
		},
	],
];

export const OUTCOME_UNKNOWN = 'It is not known whether this candidate was invited';
export const CHECK_FIRST =
	'Look in the service whether the invitation exists before you send it again.';

/**
 * Says in plain words what became of a request and what to do about it, with the service's own
 * words behind it. No token and no secret is in them.
 * @param wait the wait that the service asked for, in milliseconds, if it did
 */
export function describeError(
	request: ApiRequest,
	attempt: Attempt,
	connection: ApiCredentials,
	operationWords: StatusMessages | undefined,
	wait?: number,
): ErrorMessage {
	const clean = redact([connection.accessToken, connection.webhookSecret, request.body?.secret]);
	const said =
		attempt.kind === 'response'
			? quoted(extractErrorMessage(attempt.text, clean))
			: `(${attempt.code})`;
	const words = describe(attempt, operationWords);
	const isOutcomeUnknown = mayHaveBeenTaken(request, attempt);
	const description = [
		isOutcomeUnknown ? `${words.message}. ${CHECK_FIRST}` : words.description,
		wait !== undefined && `It asks to wait ${Math.ceil(wait / 1000)} seconds.`,
		said,
	];
	return {
		message: isOutcomeUnknown ? OUTCOME_UNKNOWN : words.message,
		description: clean(description.filter(Boolean).join(' ')),
	};
}

/** True where an invitation may exist although no success was seen. */
function mayHaveBeenTaken(request: ApiRequest, attempt: Attempt): boolean {
	if (request.method !== 'POST') return false;
	if (attempt.kind === 'networkError') return attempt.sent;
	const wasTurnedAway =
		attempt.status === 503 && parseRetryAfter(attempt.headers['retry-after'], 0) !== undefined;
	return (attempt.status >= 500 && !wasTurnedAway) || attempt.status < 300;
}

function describe(attempt: Attempt, operationWords: StatusMessages | undefined): ErrorMessage {
	if (attempt.kind === 'networkError') {
		const [, words] = NETWORK_ERROR_MESSAGES.find(([pattern]) => pattern.test(attempt.code))!;
		return words;
	}
	const { status } = attempt;
	if (status < 300) {
		return {
			message: 'The service answered without the expected data',
			description: `Check the Base URL in the credential.${attempt.text.trim() ? '' : ' The answer was empty.'}`,
		};
	}
	// HTTP knows no status above 599, but a service may.
	const family = status < 400 ? '3xx' : status < 500 ? '4xx' : '5xx';
	return operationWords?.[status] ?? STATUS_CODE_MESSAGES[status] ?? STATUS_CODE_MESSAGES[family];
}

function quoted(words: string): string {
	return words && `The service says: ${words}`;
}

/** Takes the secrets out of a text, the longest first: one may be part of another. */
function redact(secrets: unknown[]): (text: string) => string {
	const longestFirst = secrets
		.filter((secret): secret is string => typeof secret === 'string' && secret !== '')
		.sort((one, other) => other.length - one.length);
	return (text) => longestFirst.reduce((clean, secret) => clean.replaceAll(secret, '•••'), text);
}
