import { isWebPage } from '../errors/extractErrorMessage';
import type { Certainty } from '../errors/ItemError';
import { meaningOf, type StatusMeaning } from '../errors/statusMeaning';
import { parseEnvelope } from './envelope';
import type { FailedAttempt, HttpResponse, RequestPolicy } from './types';

export interface RetryDecision {
	certainty: Certainty;
	/** Another attempt may help, and can't have its effect twice. */
	isRetryable: boolean;
	isThrottled: boolean;
	scope?: StatusMeaning['scope'];
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
 * A request that isn't repeatable (Invite's) is retried only if the service certainly hasn't carried it out. A change
 * stays unknown once an attempt may have been carried out. What a status means stands in `errors/statusMeaning.ts`.
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
	const { status, headers, text } = attempt;
	const wait = retryAfter(headers, now);
	const body = { isPage: isWebPage(text), hasError: parseEnvelope(text).hasError };
	const { certainty, retry, scope } = meaningOf(status, body);
	const isRetryable = retry === 'always' || (retry === 'ifRepeatable' && isRepeatable);
	const isThrottled = retry === 'always' || (status === 503 && wait !== undefined);
	return { certainty: ifFirst(certainty), isRetryable, isThrottled, scope, wait };
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
