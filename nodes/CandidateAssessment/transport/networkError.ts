import type { NetworkError } from '../errors/FailedAttempt';

/** Connect-phase codes; a read or write message overrides them. */
const CONNECT_ERROR_CODES =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/;

/** A network that fails during a request reports the same codes. */
const DURING_REQUEST = /^(read|write) /;

/** Node's messages before a connection is complete. EPROTO is a failed TLS handshake; later errors are ERR_SSL_…. */
const BEFORE_REQUEST =
	/^(connect |Client network socket disconnected before secure TLS connection was established|write EPROTO .*SSL routines)/;

/** Addresses and certificates are only checked before anything is sent. */
const NEVER_SENT_CODES =
	/^(ERR_INVALID_URL|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)$|^(SsrfBlocked|CERT_|UNABLE_TO_|CRL_)|SELF_SIGNED/;

/** A request counts as sent, unless its error can only happen before sending. */
export function networkError(error: unknown): NetworkError {
	const chain = causesOf(error);
	const [outermost] = chain;
	const blocked = chain.find(({ name }) => name.startsWith('SsrfBlocked'));
	// Before 2.34, n8n drops the cause, but keeps its code and message.
	const code = blocked?.name ?? outermost?.httpCode ?? outermost?.code;
	const message = outermost?.messages?.[0] ?? outermost?.message ?? '';
	if (!code) return lostConnection(code, message);
	const wasNotSent =
		(CONNECT_ERROR_CODES.test(code) && !DURING_REQUEST.test(message)) ||
		BEFORE_REQUEST.test(message) ||
		NEVER_SENT_CODES.test(code);
	return { kind: 'networkError', code, message, wasSent: !wasNotSent };
}

/** The request may have been carried out. */
export function lostConnection(code = '', message = ''): NetworkError {
	return { kind: 'networkError', code, message, wasSent: true };
}

interface Cause extends Error {
	code?: string;
	httpCode?: string | null;
	messages?: string[];
}

/** An error and its causes, which may form a cycle. */
function causesOf(error: unknown, max = 10): Cause[] {
	return error instanceof Error && max > 0 ? [error, ...causesOf(error.cause, max - 1)] : [];
}
