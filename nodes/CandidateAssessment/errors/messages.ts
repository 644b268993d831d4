import type { ErrorMessage, StatusMessages } from './types';
import type { Attempt, RequestPolicy } from '../transport/types';
import { extractErrorMessage } from './extractErrorMessage';

/** What each status means to the user, unless an operation has a better message. */
export const STATUS_CODE_MESSAGES: Readonly<Record<number | '3xx' | '4xx' | '5xx', ErrorMessage>> =
	{
		400: {
			message: 'The service rejected the data',
			description: 'Correct the fields it names, then run the workflow again.',
		},
		401: {
			message: 'The access token was refused',
			description: 'Open the credential and enter a current access token.',
		},
		403: {
			message: "The access token doesn't allow this",
			description:
				'Ask the service for a token with this permission and enter it in the credential.',
		},
		404: {
			message: "The service couldn't find what was requested",
			description: 'Check the IDs, and the Base URL in the credential.',
		},
		409: {
			message: 'The request conflicts with existing data in the service',
			description: 'Look up the candidate or webhook in the service before you try again.',
		},
		413: {
			message: 'The request is too large for the service',
			description: 'Shorten long texts, or leave out skills and work experiences.',
		},
		422: {
			message: 'The service rejected the data',
			description: 'Correct the fields it names, then run the workflow again.',
		},
		429: {
			message: 'The service is receiving too many requests',
			description: 'Try again later.',
			option: "You can also lower 'Concurrency' in the node's options.",
		},
		'3xx': {
			message: 'The service redirected to another address',
			description:
				"The access token isn't sent there. If the service has moved, enter its new address as the Base URL in the credential.",
		},
		'4xx': {
			message: 'The service refused the request',
			description: 'Check what you entered, and the Base URL in the credential.',
		},
		'5xx': {
			message: 'The service returned a server error',
			description: 'Try again later. If it persists, contact the service.',
		},
	};

/** What a success means that does not show what was asked for. */
export const UNEXPECTED_RESPONSE: ErrorMessage = {
	message: "The service's response doesn't contain the expected data",
	description: 'Check the Base URL in the credential.',
};

/** The code of a JSON response that is larger than any that makes sense. */
export const RESPONSE_TOO_LARGE = 'ERR_RESPONSE_TOO_LARGE';

/** What each kind of failed connection means, by the first matching pattern of its error code. */
export const NETWORK_ERROR_MESSAGES: ReadonlyArray<[RegExp, ErrorMessage]> = [
	[
		/^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/,
		{
			message: "The service didn't respond in time",
			description: 'Try again later.',
			option: "You can also increase 'Timeout' in the node's options.",
		},
	],
	[
		/^(ENOTFOUND|EAI_AGAIN|ERR_INVALID_URL)$/,
		{
			message: "The service's address wasn't found",
			description: 'Check the Base URL in the credential.',
		},
	],
	[
		/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/,
		{
			message: "Couldn't connect to the service",
			description: 'Check the Base URL in the credential, and that the service is running.',
		},
	],
	[
		/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/,
		{
			message: "The connection to the service isn't secure: its certificate can't be trusted",
			description: 'Check the Base URL in the credential, or contact the service.',
		},
	],
	[
		new RegExp(`^${RESPONSE_TOO_LARGE}$`),
		{
			message: "The service's response is too large",
			description: 'Check the Base URL in the credential.',
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

/**
 * Says in plain words what became of a request and what to do about it, followed by the service's
 * own words.
 * @param isUnknown whether the request may have been carried out although it must not be repeated
 * @param clean hides what must not show up in an error; our own words are nobody's secret
 * @param wait the wait that the service asked for, in milliseconds
 */
export function describeError(
	attempt: Attempt,
	{
		statusMessages,
		unknownOutcome,
		hasNoOptions,
	}: Pick<RequestPolicy, 'statusMessages' | 'unknownOutcome' | 'hasNoOptions'>,
	isUnknown: boolean,
	clean: (text: string) => string,
	wait?: number,
): ErrorMessage {
	const cause = describeAttempt(attempt, clean, statusMessages);
	const unknown = isUnknown ? unknownOutcome : undefined;
	const description = [
		unknown ? `${cause.message}. ${unknown.description}` : cause.description,
		!unknown && !hasNoOptions && cause.option,
		!!wait && `The service asks to wait ${Math.ceil(wait / 1000)} seconds.`,
		serviceWords(attempt, clean),
	];
	return {
		message: unknown?.message ?? cause.message,
		description: description.filter(Boolean).join(' '),
	};
}

function describeAttempt(
	attempt: Attempt,
	clean: (text: string) => string,
	statusMessages?: StatusMessages,
): ErrorMessage {
	if (attempt.kind === 'networkError') {
		if (attempt.explanation) {
			const { message, description } = attempt.explanation;
			return { message: clean(message), description: description && clean(description) };
		}
		const [, message] = NETWORK_ERROR_MESSAGES.find(([pattern]) => pattern.test(attempt.code))!;
		return message;
	}
	const { status } = attempt;
	if (status < 300) {
		const { message, description } = UNEXPECTED_RESPONSE;
		const emptiness = attempt.text.trim() ? '' : ' The response was empty.';
		return { message, description: `${description}${emptiness}` };
	}
	// HTTP defines no status above 599, but a service may send one.
	const family = status < 400 ? '3xx' : status < 500 ? '4xx' : '5xx';
	return statusMessages?.[status] ?? STATUS_CODE_MESSAGES[status] ?? STATUS_CODE_MESSAGES[family];
}

function serviceWords(attempt: Attempt, clean: (text: string) => string): string {
	if (attempt.kind === 'networkError') return attempt.explanation ? '' : `(${clean(attempt.code)})`;
	const words = extractErrorMessage(attempt.text, clean);
	return words && `The service says: ${words}`;
}
