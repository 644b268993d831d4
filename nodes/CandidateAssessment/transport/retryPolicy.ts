import { namesAnError } from './envelope';
import { parseRetryAfter } from './retryAfter';
import type { RequestOutcome } from '../errors/types';
import type { Attempt, HttpResponse, RequestPolicy } from './types';

/** What an attempt means for its request. Waits are in milliseconds. */
export type RetryDecision<T> =
	| { kind: 'success'; data: T }
	/** The service asks everybody to wait, for how long if it says so. */
	| { kind: 'throttled'; outcome: RequestOutcome; wait?: number; isRetryable: boolean }
	/** Certainly not sent, or harmless to repeat. */
	| { kind: 'retry'; outcome: RequestOutcome }
	/** Trying again is useless, or could do it twice. */
	| { kind: 'failed'; outcome: RequestOutcome };

const RETRYABLE_STATUS_CODES = new Set([502, 503, 504]);

/** Redirects that a service can send after it has carried a request out. */
const REDIRECTS_AFTERWARDS = new Set([302, 303]);

/**
 * Classifies one attempt. A request that is not repeatable is tried again only if it is certain that
 * the service has not carried it out: after a 429, or without a connection. All others are also tried
 * again on 502, 503, 504 and on a lost connection. Which statuses the service uses is not shown.
 * @param now milliseconds since 1970
 * @param read finds what was asked for in a response; if it finds nothing, the request has failed
 */
export function classify<T>(
	attempt: Attempt,
	{ isRepeatable }: Pick<RequestPolicy, 'isRepeatable'>,
	now: number,
	read: (response: HttpResponse) => T | undefined,
): RetryDecision<T> {
	const outcome = outcomeOf(attempt);
	if (attempt.kind === 'networkError') {
		const isRetryable = attempt.isTransient && (isRepeatable || !attempt.wasSent);
		return { kind: isRetryable ? 'retry' : 'failed', outcome };
	}
	const data = read(attempt);
	if (data !== undefined) return { kind: 'success', data };
	const wait = parseRetryAfter(attempt.headers, now);
	// A proxy may say 503 with Retry-After after it has passed the request on.
	if (attempt.status === 429 || (attempt.status === 503 && wait !== undefined)) {
		return { kind: 'throttled', outcome, wait, isRetryable: isRepeatable || outcome === 'refused' };
	}
	const isRetryable = isRepeatable && RETRYABLE_STATUS_CODES.has(attempt.status);
	return { kind: isRetryable ? 'retry' : 'failed', outcome };
}

/** What an attempt that did not succeed says about whether its request was carried out. */
function outcomeOf(attempt: Attempt): RequestOutcome {
	if (attempt.kind === 'networkError') return attempt.wasSent ? 'unknown' : 'notSent';
	if (isSuccess(attempt)) return namesAnError(attempt.text) ? 'refused' : 'unknown';
	if (REDIRECTS_AFTERWARDS.has(attempt.status)) return 'unknown';
	return attempt.status >= 500 || attempt.status < 200 ? 'unknown' : 'refused';
}

/** Any 2xx. Which of them the service uses besides 200 is not shown. */
export function isSuccess({ status }: HttpResponse): boolean {
	return status >= 200 && status < 300;
}
