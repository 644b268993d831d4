import { sleep, type IDataObject } from 'n8n-workflow';
import { ApiError, ItemError } from '../errors/ItemError';
import { describeError, inSeconds, isForeignPage } from '../errors/messages';
import { redact } from '../errors/redact';
import { AdaptiveLimiter } from './AdaptiveLimiter';
import { parseEnvelope } from './envelope';
import { send, type Connection } from './exchange';
import { backoff, decide, isSuccess, type RetryDecision } from './retryPolicy';
import type { ApiRequest, Attempt, FailedAttempt, HttpResponse, RequestPolicy } from './types';

/** Sends the requests of one batch, which share a limiter. */
export class ApiClient implements Connection {
	private readonly limiter: AdaptiveLimiter;
	private readonly stopped: Promise<unknown>;

	/** @param stop once aborted, nothing more is sent; what is in flight may finish */
	constructor(
		readonly context: Connection['context'],
		readonly credentials: Connection['credentials'],
		readonly options: Connection['options'],
		private readonly stop = new AbortController(),
	) {
		this.limiter = new AdaptiveLimiter(options.concurrency, stop.signal);
		this.stopped = new Promise((resolve) => stop.signal.addEventListener('abort', resolve));
	}

	/**
	 * Sends a request until it succeeds or fails for good. Resolves with the envelope's `data`. Throws
	 * `ApiError`, or the abort reason if the stop kept it from being sent.
	 */
	async request(request: ApiRequest, policy: RequestPolicy): Promise<IDataObject> {
		const details = policy.confidential?.(request) ?? [];
		return await this.withRetries(policy, details, async (isRepeated) => {
			const attempt = await send(this, request);
			if (attempt.kind === 'networkError') return attempt;
			if (isSuccess(attempt)) return confirmed(attempt, request, policy);
			const data = isRepeated && !isForeignPage(attempt) && policy.successOnRetry?.[attempt.status];
			return data ? { kind: 'success', data } : attempt;
		});
	}

	/**
	 * Makes attempts until one succeeds or fails for good. Throws like `request`.
	 * @param details hidden in errors, unless they are very short (`redact`); the credential's secrets always are
	 * @param makeAttempt is told whether an earlier attempt may have been carried out
	 */
	async withRetries<T>(
		policy: RequestPolicy,
		details: readonly string[],
		makeAttempt: (isRepeated: boolean) => Promise<Attempt<T>>,
	): Promise<T> {
		const { limiter, stop } = this;
		/** Of the last attempt that may have been carried out. */
		let lastUnknown: ApiError | undefined;
		for (let retries = 0; ; retries++) {
			await limiter.acquire(retries);
			if (stop.signal.aborted) throw lastUnknown ?? stop.signal.reason;
			try {
				const attempt = await makeAttempt(lastUnknown !== undefined);
				if (attempt.kind === 'success') {
					limiter.onSuccess();
					return attempt.data;
				}
				const decision = decide(attempt, policy, Date.now());
				const isLast = retries >= this.options.maxRetries;
				const delay = backoff(retries);
				if (decision.isThrottled) {
					this.abortIfExhausted(decision, isLast);
					// The others wait too, even if this one gives up.
					limiter.onThrottled(decision.wait ?? delay);
				}
				// An earlier attempt may have been carried out even if this one wasn't sent.
				if (lastUnknown && decision.outcome === 'notSent') decision.outcome = 'unknown';
				const error = this.toError(attempt, decision, policy, details);
				if (error.outcome === 'unknown') lastUnknown = error;
				if (!decision.isRetryable || isLast || stop.signal.aborted) {
					if (error.isOutage) limiter.onOutage();
					throw error;
				}
				// It keeps its slot while it waits: the others would fail the same way.
				if (!decision.isThrottled) await Promise.race([sleep(delay), this.stopped]);
			} finally {
				limiter.release();
			}
		}
	}

	/** Stops the batch if the service asks for too long a wait, or answers even the last retry with 429. */
	private abortIfExhausted({ outcome, wait = 0 }: RetryDecision, isLast: boolean): void {
		const { maxWait } = this.options;
		const isTooLong = wait > maxWait * 1000;
		if (!isTooLong && !(isLast && outcome === 'refused')) return;
		const reason = isTooLong
			? `It asks to wait ${inSeconds(wait)}, longer than the ${maxWait} that 'Max Wait' in the node's options allows.`
			: 'Another item used up its retries.';
		const message = 'Not sent: the service is receiving too many requests';
		const description = `${reason} Run the workflow again later.`;
		this.stop.abort(new ItemError({ message, description }, 'notSent'));
	}

	private toError(
		attempt: FailedAttempt,
		{ outcome, wait }: RetryDecision,
		policy: RequestPolicy,
		details: readonly string[],
	): ApiError {
		const { accessToken, webhookSecret } = this.credentials;
		const message = describeError(attempt, policy, {
			outcome,
			wait,
			redact: (text) => redact(text, [accessToken, webhookSecret], details),
		});
		const httpStatus = attempt.kind === 'response' ? attempt.status : undefined;
		return new ApiError(message, outcome, httpStatus);
	}
}

/** A response is a success only if its `data` shows it, but then even if it also names an error. */
function confirmed(
	response: HttpResponse,
	request: ApiRequest,
	{ isConfirmedBy }: RequestPolicy,
): Attempt<IDataObject> {
	const { data, hasError } = parseEnvelope(response.text);
	if (data && (isConfirmedBy?.(data, request) ?? !hasError)) return { kind: 'success', data };
	// An error may quote the service's words, but not a resource, which may hold a secret or a person.
	const mayBeResource = !hasError && /^\s*[[{]/.test(response.text);
	return mayBeResource ? { ...response, text: '{}' } : response;
}
