import type { IDataObject } from 'n8n-workflow';
import type { HttpResponse, Attempt, ApiRequest } from './types';

/** What an attempt means for its request. Waits are in milliseconds. */
export type RetryDecision<T = IDataObject> =
	/** It went through: what was asked for, such as the envelope's `data`. */
	| { kind: 'success'; data: T }
	/** The service did not take it and asks everybody to wait, if it says so for how long. */
	| { kind: 'throttled'; wait?: number }
	/** It may or may not have been taken, and doing it twice does no harm. */
	| { kind: 'retry' }
	/** Trying again is useless, or could do it twice. */
	| { kind: 'failed' };

const RETRYABLE_STATUS_CODES = new Set([502, 503, 504]);

/**
 * Judges one attempt. An invitation (POST) is tried again only where the service says that it did
 * not take it, or where nothing was sent; all other requests can be repeated without harm.
 * Specification, "What the service does" (the envelope); which statuses it uses is not shown.
 * @param read finds what was asked for in a 200; where it finds nothing, the request has failed
 */
export function classify<T>(
	request: ApiRequest,
	attempt: Attempt,
	now: number,
	read: (answer: HttpResponse) => T | undefined,
): RetryDecision<T> {
	const isRepeatable = request.method !== 'POST';
	if (attempt.kind === 'networkError') {
		return isRepeatable || !attempt.sent ? { kind: 'retry' } : { kind: 'failed' };
	}
	const wait = parseRetryAfter(attempt.headers['retry-after'], now);
	if (attempt.status === 429 || (attempt.status === 503 && wait !== undefined)) {
		return { kind: 'throttled', wait };
	}
	if (RETRYABLE_STATUS_CODES.has(attempt.status) && isRepeatable) return { kind: 'retry' };
	const data = attempt.status === 200 ? read(attempt) : undefined;
	return data ? { kind: 'success', data } : { kind: 'failed' };
}

/** Retry-After in both its forms (seconds, or an HTTP date) as milliseconds from now. */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
	if (typeof header !== 'string') return undefined;
	const value = header.trim();
	if (/^\d+$/.test(value)) return Number(value) * 1000;
	// Date.parse makes a date of almost anything with a number in it, "-1" among them.
	const wait = /\d\d:\d\d:\d\d/.test(value) ? Date.parse(value) - now : NaN;
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** The `data` of the envelope; undefined where there is none, or no object. */
export function unwrapEnvelope({ text }: HttpResponse): IDataObject | undefined {
	try {
		const { data } = JSON.parse(text) as { data?: unknown };
		return isObject(data) ? data : undefined;
	} catch {
		return undefined;
	}
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
