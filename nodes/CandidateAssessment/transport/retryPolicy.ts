import type { Certainty } from '../errors/ItemError';
import { parseEnvelope } from './envelope';
import type { FailedAttempt, HttpResponse, RequestPolicy } from './types';

export interface RetryDecision {
	certainty: Certainty;
	/** Another attempt may help, and can't have its effect twice. */
	isRetryable: boolean;
	isThrottled: boolean;
	/** How long the service asks to wait, in milliseconds. */
	wait?: number;
}

interface Circumstances {
	/** An earlier attempt of the same request may have been carried out. */
	mayBeCarriedOut: boolean;
	/** Milliseconds since 1970. */
	now: number;
}

/**
 * A request that is not repeatable (Invite's) is retried only where the service has certainly not carried it
 * out. The specification doesn't show which statuses the service uses.
 *
 *                               Invite                 Get                    webhooks
 *   no connection               retried, then notSent  retried, then notSent  retried, then notSent*
 *   connection lost, 5xx, 408   unknown                retried, then unknown  retried, then unknown
 *   429                         retried, then refused  retried, then refused  retried, then refused*
 *   other 4xx, 301, 307, 308, or a 2xx that says that it failed    refused    refused*
 *   other 3xx, or a 2xx without the expected data      unknown                unknown
 *
 *   * or unknown, if an earlier attempt may have been carried out
 *
 * All others of the batch wait after a 429, and after a 503 with Retry-After. After the last retry of a 429, the batch
 * ends; so it does if the service asks for more than Max Wait, and after three requests in a row that end as in an
 * outage (`ApiError.isOutage`).
 */
export function decide(
	attempt: FailedAttempt,
	{ isRepeatable, isRead }: Pick<RequestPolicy, 'isRepeatable' | 'isRead'>,
	{ mayBeCarriedOut, now }: Circumstances,
): RetryDecision {
	const ifFirst = (certainty: Certainty) => (mayBeCarriedOut && !isRead ? 'unknown' : certainty);
	if (attempt.kind === 'networkError') {
		const { wasSent } = attempt;
		const certainty = wasSent ? 'unknown' : ifFirst('notSent');
		return { certainty, isRetryable: isRepeatable || !wasSent, isThrottled: false };
	}
	const wait = retryAfter(attempt.headers, now);
	if (attempt.status === TOO_MANY_REQUESTS) {
		return { certainty: ifFirst('refused'), isRetryable: true, isThrottled: true, wait };
	}
	// A load balancer answers 408 when the response takes too long: the service may have the request.
	if (attempt.status >= 500 || attempt.status === 408) {
		// A proxy may answer 503 with Retry-After after it has passed the request on.
		const isThrottled = attempt.status === 503 && wait !== undefined;
		return { certainty: 'unknown', isRetryable: isRepeatable, isThrottled, wait };
	}
	const certainty = isRefusal(attempt) ? ifFirst('refused') : 'unknown';
	return { certainty, isRetryable: false, isThrottled: false, wait };
}

export const TOO_MANY_REQUESTS = 429;

function isRefusal(response: HttpResponse): boolean {
	const { status, text } = response;
	if (status >= 400 && status < 500) return true;
	// It names another address instead of carrying out the request. With 302 and 303 it may have done both.
	if ([301, 307, 308].includes(status)) return true;
	return isSuccess(response) && parseEnvelope(text).hasError;
}

/** Retry-After (seconds, or a date, which has letters) in milliseconds, if it lies in the future. */
export function retryAfter(headers: HttpResponse['headers'], now: number): number | undefined {
	const header = String(headers['retry-after']).trim();
	// Of the three forms in RFC 9110, one has no time zone.
	const date = header.replace(/:\d\d \d{4}$/, '$& GMT');
	const isDate = /[a-z]/i.test(date) && date.includes(':');
	const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) : NaN;
	const wait = isDate ? Date.parse(date) - now : seconds * 1000;
	return wait > 0 ? wait : undefined;
}

const INITIAL_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** In milliseconds, if the service names no wait. With jitter, so that many senders don't return at once. */
export function backoff(retries: number): number {
	return Math.min(MAX_DELAY_MS, INITIAL_DELAY_MS * 2 ** retries) * (0.5 + Math.random() / 2);
}

/** Any 2xx. The specification shows 200 only. */
export function isSuccess({ status }: Pick<HttpResponse, 'status'>): boolean {
	return status >= 200 && status < 300;
}
