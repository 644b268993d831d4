import { ApiError } from '../errors/ApiError';
import { describeError } from '../errors/messages';
import type { AdaptiveLimiter } from './AdaptiveLimiter';
import { backoff } from './backoff';
import type { Clock } from './clock';
import { classify } from './retryPolicy';
import type { ErrorMessage } from '../errors/types';
import type { Attempt, HttpResponse, RequestPolicy } from './types';

/** What the requests of one batch share while they are retried. */
export interface RetryContext {
	readonly limiter: Pick<AdaptiveLimiter, 'acquire' | 'release' | 'onSuccess'>;
	readonly clock: Clock;
	readonly maxRetries: number;
	/** Once aborted, nothing more is sent. */
	readonly signal: AbortSignal;
	/** @param wait what the service asked for, in milliseconds */
	onThrottled(wait?: number): void;
}

/**
 * Makes attempts until one settles the request, and gives what `read` finds in its response. Throws
 * `ApiError` when it failed for good, or was stopped before it was sent (again).
 * @param clean hides what must not show up in an error
 */
export async function withRetries<T>(
	retryContext: RetryContext,
	policy: RequestPolicy,
	attempt: () => Promise<Attempt>,
	read: (response: HttpResponse, isRepeated: boolean) => T | undefined,
	clean: (text: string) => string,
): Promise<T> {
	const { limiter, clock, maxRetries, signal } = retryContext;
	/** The last attempt that may have been carried out. */
	let unconfirmed: ApiError | undefined;
	for (let retries = 0; ; retries++) {
		await stoppable(limiter.acquire(retries), unconfirmed);
		try {
			const isRepeated = unconfirmed !== undefined;
			const result = await attempt();
			const decision = classify(result, policy, clock.now(), (response) =>
				read(response, isRepeated),
			);
			if (decision.kind === 'success') {
				limiter.onSuccess();
				return decision.data;
			}
			const wait = decision.kind === 'throttled' ? decision.wait : undefined;
			// The others wait too, even if this one gives up.
			if (decision.kind === 'throttled') retryContext.onThrottled(wait);
			const outcome = isRepeated && decision.outcome === 'notSent' ? 'unknown' : decision.outcome;
			const message = describe(result, policy, outcome === 'unknown', clean, wait);
			const status = result.kind === 'response' ? result.status : undefined;
			const error = new ApiError(message, outcome, status, isRepeated, wait);
			if (outcome === 'unknown') unconfirmed = error;
			switch (decision.kind) {
				case 'failed':
					throw error;
				case 'throttled':
					if (!decision.isRetryable || retries >= maxRetries || signal.aborted) throw error;
					// No time at all is less than a second, rounded: all retries would be used up within it.
					if (wait === 0 && retries > 0) {
						await stoppable(clock.sleep(backoff(retries - 1, clock), signal), unconfirmed);
					}
					break;
				case 'retry':
					if (retries >= maxRetries) throw error;
					await stoppable(clock.sleep(backoff(retries, clock), signal), unconfirmed);
					break;
				default:
					decision satisfies never;
			}
		} finally {
			limiter.release();
		}
	}
}

/** Whatever goes wrong here must not change what becomes of the request, nor quote what `clean` hides. */
function describe(...[attempt, policy, isUnknown, ...more]: Parameters<typeof describeError>) {
	try {
		return describeError(attempt, policy, isUnknown, ...more);
	} catch {
		return (isUnknown && policy.unknownOutcome) || NOT_DESCRIBED;
	}
}

/** Instead of words that may show what must not be seen. */
export const NOT_DESCRIBED: ErrorMessage = {
	message: 'The request failed',
	description: "The service's response can't be shown.",
};

/** A request that is stopped while it waits is still in doubt if an earlier attempt was. */
async function stoppable(waiting: Promise<void>, unconfirmed?: ApiError): Promise<void> {
	try {
		await waiting;
	} catch (reason) {
		throw unconfirmed ?? reason;
	}
}
