import type { MessageOptions, Reply, StatusMessages } from '../transport/types';
import { inOneLine } from '../utils/inOneLine';
import { extractErrorMessage, isWebPage, MAX_LENGTH } from './extractErrorMessage';
import type { ErrorMessage, FailureKind } from './ItemError';
import { meaningOf } from './statusMeaning';

interface FailureContext {
	kind: FailureKind;
	/** How long the service asks to wait, in milliseconds. */
	wait?: number;
	redact: (text: string) => string;
}

/** What happened to a request and what to do about it, followed by the service's own words. */
export function describeError(
	failure: Reply,
	options: MessageOptions,
	{ kind, wait, redact }: FailureContext,
): ErrorMessage {
	const cause = generalMessage(failure, options, kind);
	const unknown = kind === 'unknown' ? options.unknownOutcome : undefined;
	const description = [
		unknown ? `${cause.message}. ${unknown.description}` : cause.description,
		!!wait && `The service asked n8n to wait ${inSeconds(wait, failure)}.`,
		quote(failure, redact),
	];
	return {
		message: unknown?.message ?? cause.message,
		description: description.filter(Boolean).join(' '),
	};
}

/** A wait in whole seconds: "1 second". If it's implausible, such as a Unix time, it quotes the header. */
export function inSeconds(milliseconds: number, failure: Reply): string {
	const seconds = Math.ceil(milliseconds / 1000);
	const words = seconds === 1 ? '1 second' : `${seconds} seconds`;
	if (seconds <= MAX_BELIEVED || failure.kind === 'networkError') return words;
	return `${words} (it wrote 'Retry-After: ${inOneLine(String(failure.headers['retry-after']), 50)}')`;
}

/** A day more than Max Wait can be. In seconds. */
const MAX_BELIEVED = 25 * 60 * 60;

/** True for a 4xx from a proxy, a firewall or a web server, which know nothing of tokens and candidates. */
export function isForeignPage({ status, text }: { status: number; text: string }): boolean {
	return status >= 400 && status < 500 && isWebPage(text);
}

function generalMessage(
	failure: Reply,
	{ statusMessages, fallbackMessage }: MessageOptions,
	kind: FailureKind,
) {
	if (failure.kind === 'networkError') {
		const message = NETWORK_ERROR_MESSAGES.find(({ code }) => code.test(failure.code));
		return fallbackMessage ?? message ?? CONNECTION_LOST;
	}
	const { status, text } = failure;
	const own = status < 300 && kind === 'refused' ? REFUSED : statusMessages?.[status];
	const fitting = isForeignPage(failure) ? undefined : own;
	return fitting ?? fallbackMessage ?? describeStatus(status, text);
}

function quote(failure: Reply, redact: (text: string) => string): string {
	if (failure.kind === 'networkError') {
		return `(${inOneLine(redact(failure.code || failure.message || 'unknown'), MAX_LENGTH)})`;
	}
	const words = extractErrorMessage(failure.text, redact);
	return words && `The ${isWebPage(failure.text) ? 'page' : 'service'} replied: ${words}`;
}

export const NOTHING_SENT = 'Nothing was sent.';

const REFUSED: ErrorMessage = {
	message: 'The service refused the request',
	description: 'Check what you entered.',
};

const DATA_REJECTED: ErrorMessage = {
	message: 'The service rejected the data',
	description: "Correct the fields named in the service's reply.",
};

export const NOT_THE_API = {
	message: 'No assessment API found at this address',
	description: "Check 'Base URL' in the credential.",
} satisfies ErrorMessage;

const FOREIGN_PAGE: ErrorMessage = {
	message: 'A web page answered instead of the assessment API',
	description:
		"Check 'Base URL' in the credential. If it's correct, ask your n8n administrator about a proxy or firewall.",
};

const TIMED_OUT: ErrorMessage = {
	message: "The service didn't respond in time",
	description: 'Try again later.',
};

/** Keys are statuses, or their first digits. */
const STATUS_CODE_MESSAGES: StatusMessages = {
	2: {
		message: "The service's response doesn't contain the expected data",
		description: NOT_THE_API.description,
	},
	3: {
		message: 'The service redirected to a different address',
		description:
			"n8n doesn't send the access token to the new address. If the service has moved, enter its new address as 'Base URL' in the credential.",
	},
	4: REFUSED,
	5: {
		message: "The service couldn't process the request",
		description: "Try again later. If this keeps happening, contact the service's support.",
	},
	400: DATA_REJECTED,
	401: {
		message: 'The access token was refused',
		description: 'Open the credential and enter a current access token.',
	},
	402: {
		message: 'The service refused the request: your account may have no invitations left',
		description: "Ask the service's support.",
	},
	403: {
		message: "The access token doesn't allow this",
		description:
			"Ask the service's support for a token with this permission, and enter it in the credential. If other requests succeed, the service may be rate limiting you: try again later.",
	},
	407: {
		message: 'The proxy between n8n and the service refused the request',
		description:
			"Ask your n8n administrator to check the proxy user name and password in n8n's HTTPS_PROXY setting.",
	},
	408: TIMED_OUT,
	422: DATA_REJECTED,
	429: {
		message: 'The service is receiving too many requests',
		description: 'Try again later.',
	},
};

/** What an HTTP status means, unless an operation says otherwise. */
export function describeStatus(status: number, text = ''): ErrorMessage {
	// These two come from a proxy, even as a web page.
	if (![407, 408].includes(status) && isForeignPage({ status, text })) {
		return status === 404 ? NOT_THE_API : FOREIGN_PAGE;
	}
	const isUnclear = status >= 400 && meaningOf(status).kind === 'unknown';
	const general = STATUS_CODE_MESSAGES[isUnclear ? 5 : Math.floor(status / 100)];
	// A status may be any number, such as 099 or 999.
	return STATUS_CODE_MESSAGES[status] ?? general ?? STATUS_CODE_MESSAGES[5];
}

/** The first pattern that matches the error's code counts. */
const NETWORK_ERROR_MESSAGES: ReadonlyArray<ErrorMessage & { code: RegExp }> = [
	{
		code: /^$/,
		message: 'An unexpected error occurred',
		description: 'Try again. If it happens again, ask your n8n administrator.',
	},
	{ code: /^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/, ...TIMED_OUT },
	{
		code: /^(ENOTFOUND|EAI_AGAIN|ERR_INVALID_URL)$/,
		message: "The service's address wasn't found",
		description: NOT_THE_API.description,
	},
	{
		code: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/,
		message: "Couldn't connect to the service",
		description:
			"Check 'Base URL' in the credential, including its port, and that the service is running.",
	},
	{
		code: /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/,
		message: "The connection to the service isn't secure: its certificate can't be trusted",
		description:
			"Check 'Base URL' in the credential. If your company uses its own certificates, ask your n8n administrator to set NODE_EXTRA_CA_CERTS.",
	},
	{
		code: /^SsrfBlocked/,
		message: "Your n8n blocks requests to the service's address",
		description: "Ask your n8n administrator to allow it, or check 'Base URL' in the credential.",
	},
];

const CONNECTION_LOST: ErrorMessage = {
	message: 'The connection to the service was lost',
	description: 'Try again later.',
};
