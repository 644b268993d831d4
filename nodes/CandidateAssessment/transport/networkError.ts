import type { NetworkError } from './types';

/** Never connected, unless n8n's words say what was going on. */
const CONNECT_ERROR_CODES =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/;

/** A network that goes away during a request has the same codes as one that was never there. */
const DURING_REQUEST = /^(read|write) /;

/**
 * Node's words where there was no connection yet, TLS included. Where TLS could not be agreed on, Node
 * could not write the request; a later error is an ERR_SSL_…
 */
const BEFORE_REQUEST =
	/^(connect |Client network socket disconnected before secure TLS connection was established|write EPROTO .*SSL routines)/;

/** The certificate is checked before anything is sent, and only then. */
const NEVER_SENT_CODES =
	/^(ERR_INVALID_URL|SsrfBlocked.*|ERR_TLS_CERT_ALTNAME_INVALID|CERT_.*|.*SELF_SIGNED.*|UNABLE_TO_.*|CRL_.*|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)$/;

/**
 * Reads an error that came instead of a response. The request counts as sent unless the error is known
 * to come before that.
 */
export function networkError(error: unknown): NetworkError {
	const chain = causesOf(error);
	const [outermost] = chain;
	const blocked = chain.find(({ name }) => name.startsWith('SsrfBlocked'));
	// n8n 1.x drops the cause and keeps its code and words.
	const code = blocked?.name ?? outermost?.httpCode ?? outermost?.code;
	const words = outermost?.messages?.[0] ?? outermost?.message ?? '';
	if (!code) return lostConnection();
	const wasNotSent =
		(CONNECT_ERROR_CODES.test(code) && !DURING_REQUEST.test(words)) ||
		BEFORE_REQUEST.test(words) ||
		NEVER_SENT_CODES.test(code);
	return { kind: 'networkError', code, wasSent: !wasNotSent };
}

/** The request may have been carried out. */
export function lostConnection(code = 'unknown'): NetworkError {
	return { kind: 'networkError', code, wasSent: true };
}

/** n8n's own errors have the last two. */
interface Cause extends Error {
	code?: string;
	httpCode?: string | null;
	messages?: string[];
}

/** The error and its causes, which may lead in a circle. */
export function causesOf(error: unknown, max = 10): Cause[] {
	return error instanceof Error && max > 0 ? [error, ...causesOf(error.cause, max - 1)] : [];
}
