import { jsonParse, type IDataObject } from 'n8n-workflow';
import { isWebPage } from '../errors/extractErrorMessage';
import type { FailureKind } from '../errors/ItemError';
import { meaningOf } from '../errors/statusMeaning';
import type { HttpResponse, Reply, RetryPolicy } from './types';

export type RetryDecision = ReturnType<typeof decide>;

/**
 * A request that isn't repeatable (Invite's) is retried only if the service certainly hasn't carried it out. The
 * outcome of a change stays unknown once an attempt may have taken effect. Statuses: `errors/statusMeaning.ts`.
 *
 * The whole batch waits after a 429, and after a 503 with Retry-After. It ends after the last retry of a 429, if the
 * service asks for more than Max Wait, and after three requests in a row that end in an outage (`ApiError.countsAsOutage`).
 * `isRetryable`: another attempt may help, and does no harm. `wait`: how long the service asks to wait, in milliseconds.
 * @param mayBeDone true if an earlier attempt of this request may have taken effect
 */
export function decide(
	attempt: Reply,
	{ isRepeatable, isRead }: RetryPolicy,
	{ mayBeDone, now }: { mayBeDone: boolean; now: number },
) {
	const unlessDone = (kind: FailureKind) => (mayBeDone && !isRead ? 'unknown' : kind);
	if (attempt.kind === 'networkError') {
		const { wasSent } = attempt;
		const kind = wasSent ? 'unknown' : unlessDone('notSent');
		return { kind, isRetryable: isRepeatable || !wasSent, isThrottled: false };
	}
	const { status, headers, text } = attempt;
	const wait = retryAfter(headers, now);
	const body = { isPage: isWebPage(text), hasError: parseEnvelope(text).hasError };
	const { kind, retry, scope } = meaningOf(status, body);
	const isRetryable = retry === 'always' || (retry === 'ifRepeatable' && isRepeatable);
	const isThrottled = retry === 'always' || (status === 503 && wait !== undefined);
	return { kind: unlessDone(kind), isRetryable, isThrottled, scope, wait };
}

/** Retry-After (seconds, or a date, which has letters) in milliseconds, if positive. */
export function retryAfter(headers: HttpResponse['headers'], now: number): number | undefined {
	const header = String(headers['retry-after']).trim();
	// One of RFC 9110's three forms has no time zone.
	const date = header.replace(/:\d\d \d{4}$/, '$& GMT');
	const isDate = /[a-z]/i.test(date) && date.includes(':');
	const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) : NaN;
	const wait = isDate ? Date.parse(date) - now : seconds * 1000;
	return wait > 0 ? wait : undefined;
}

const INITIAL_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** In milliseconds, if the service names no wait. Jitter keeps many senders from returning at once. */
export function backoff(retries: number): number {
	return Math.min(MAX_DELAY_MS, INITIAL_DELAY_MS * 2 ** retries) * (0.5 + Math.random() / 2);
}

/**
 * Returns the envelope's `data`, if it is an object, and whether the response calls itself a failure, whatever its HTTP
 * status: it names an error, denies success, or has a status of "error". An empty list of errors names none.
 * Specification, "What the service does".
 */
export function parseEnvelope(text: string): { data?: IDataObject; hasError: boolean } {
	const envelope = objectOrNone(jsonParse<unknown>(text, { fallbackValue: null }));
	const data = objectOrNone(envelope?.data);
	const parts = [...Object.entries(envelope ?? {}), ...Object.entries(data ?? {})];
	return { data, hasError: parts.some(([key, value]) => isFailure(key, value)) };
}

function isFailure(key: string, value: unknown): boolean {
	if (/^errors?$/i.test(key)) return isPresent(value);
	if (/^(is_?)?(ok|success(ful)?|succeeded)$/i.test(key))
		return value === false || value === 'false';
	return /^(status|result)$/i.test(key) && /^(error|fail|failed|failure)$/i.test(String(value));
}

function isPresent(value: unknown): boolean {
	return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : !!value;
}

function objectOrNone(value: unknown): IDataObject | undefined {
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	return isObject ? (value as IDataObject) : undefined;
}
