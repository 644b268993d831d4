import type { IDataObject } from 'n8n-workflow';
import { backoff } from './backoff';
import { describeError, ApiError } from '../errors/messages';
import type { ApiClient } from './ApiClient';
import { send } from './send';
import type { HttpResponse, Attempt, ApiRequest, StatusMessages } from './types';
import { unwrapEnvelope, classify } from './retryPolicy';

/** The longest that the service may ask to wait before an item fails instead. */
export const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Sends a request until the service has answered for good, as patiently as its kind allows.
 * Resolves with the envelope's `data`. Throws like `persist`.
 */
export async function request(
	client: ApiClient,
	request: ApiRequest,
	words?: StatusMessages,
): Promise<IDataObject> {
	const { context, credentials, timeout } = client;
	const attempt = async () => await send(context, credentials, request, timeout);
	return await withRetries(client, request, attempt, unwrapEnvelope, words);
}

/**
 * Makes attempts until one answers for good, and gives what `read` finds in the answer. Throws
 * `ServiceFailure` when it failed for good, and the reason of `stop` when it was stopped before it
 * was sent (again).
 */
export async function withRetries<T>(
	{ credentials, limiter, clock, signal, maxRetries }: ApiClient,
	request: ApiRequest,
	makeAttempt: () => Promise<Attempt>,
	read: (answer: HttpResponse) => T | undefined,
	words?: StatusMessages,
): Promise<T> {
	for (let retries = 0; ; retries++) {
		await limiter.acquire(retries);
		try {
			const attempt = await makeAttempt();
			const decision = classify(request, attempt, clock.now(), read);
			if (decision.kind === 'success') {
				limiter.onSuccess();
				return decision.data;
			}
			const wait = decision.kind === 'throttled' ? decision.wait : undefined;
			const isTooLong = wait !== undefined && wait > MAX_RETRY_AFTER_MS;
			// The others wait too where this one gives up.
			if (decision.kind === 'throttled' && !isTooLong) limiter.onThrottled(wait);
			if (decision.kind === 'failed' || retries >= maxRetries || isTooLong) {
				throw new ApiError(
					describeError(request, attempt, credentials, words, wait),
					request,
					attempt,
				);
			}
			if (decision.kind === 'retry') await clock.sleep(backoff(retries, clock), signal);
		} finally {
			limiter.release();
		}
	}
}
