import type { NetworkError } from './types';

/** Never connected, unless n8n's words say what was going on. */
const CONNECT_ERROR_CODES = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENETDOWN',
]);

/** A network that goes away during a request has the same codes as one that was never there. */
const DURING_REQUEST = /^(read|write) /;

/** Node's words where there was no connection yet, TLS included. */
const BEFORE_REQUEST =
	/^(connect |Client network socket disconnected before secure TLS connection was established)/;

/** TLS could not be agreed on: Node could not write the request. A later error is an ERR_SSL_… */
const HANDSHAKE_ERROR = /^write EPROTO .*SSL routines/;

/** The certificate is checked before anything is sent, and only then. */
const CERTIFICATE_ERROR =
	/^(ERR_TLS_CERT_ALTNAME_INVALID|CERT_.*|.*SELF_SIGNED.*|UNABLE_TO_.*|CRL_.*|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)$/;

/**
 * What an error means that came instead of a response. The request counts as sent unless the error is
 * known to come before that.
 */
export function networkError(error: unknown): NetworkError {
	const chain = causesOf(error);
	const blocked = chain.find(({ name }) => name.startsWith('SsrfBlocked'));
	if (blocked) return notSent(blocked.name, false);
	const [outermost] = chain;
	// n8n 1.x drops the cause and keeps its code and words.
	const code = outermost?.httpCode ?? outermost?.code;
	const words = outermost?.messages?.[0] ?? outermost?.message ?? '';
	if (!code) return lostConnection();
	const isConnectError = CONNECT_ERROR_CODES.has(code) && !DURING_REQUEST.test(words);
	if (isConnectError || BEFORE_REQUEST.test(words)) return notSent(code, true);
	const isUseless =
		code === 'ERR_INVALID_URL' || CERTIFICATE_ERROR.test(code) || HANDSHAKE_ERROR.test(words);
	return isUseless ? notSent(code, false) : lostConnection(code);
}

/** The request may have been carried out. */
export function lostConnection(code = 'unknown'): NetworkError {
	return { kind: 'networkError', code, wasSent: true, isTransient: true };
}

function notSent(code: string, isTransient: boolean): NetworkError {
	return { kind: 'networkError', code, wasSent: false, isTransient };
}

/** n8n's own errors have the last two. */
interface Cause extends Error {
	code?: string;
	httpCode?: string | null;
	messages?: string[];
}

/** The error and its causes. */
export function causesOf(error: unknown): Cause[] {
	const chain: Cause[] = [];
	for (let cause = error; cause instanceof Error && chain.length < 10; cause = cause.cause) {
		chain.push(cause);
	}
	return chain;
}
