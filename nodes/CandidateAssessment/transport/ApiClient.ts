import { sleep, type IDataObject } from 'n8n-workflow';
import { ApiError, NotSentError } from '../errors/ItemError';
import { describeError, inSeconds, isForeignPage } from '../errors/messages';
import { redact } from '../errors/redact';
import { isSuccess } from '../errors/statusMeaning';
import { AdaptiveLimiter } from './AdaptiveLimiter';
import { backoff, decide, parseEnvelope, type RetryDecision } from './retryPolicy';
import { sendOnce, type Sender } from './exchange';
import type { ApiRequest, Attempt, HttpResponse, Reply, RequestPolicy, RetryPolicy } from './types';

/** Sends the requests of one batch, which share a limiter. */
export class ApiClient implements Sender {
	private readonly limiter: AdaptiveLimiter;
	private readonly stopped: Promise<unknown>;

	/** @param stop once aborted, nothing more is sent; requests in flight may finish */
	constructor(
		readonly context: Sender['context'],
		readonly credentials: Sender['credentials'],
		readonly options: Sender['options'],
		private readonly stop: AbortController,
	) {
		this.limiter = new AdaptiveLimiter(options.concurrency, stop.signal);
		this.stopped = new Promise((resolve) => stop.signal.addEventListener('abort', resolve));
	}

	/** Resolves with the envelope's `data`. Throws `ApiError`, or `stop`'s reason if nothing was sent. */
	async request(request: ApiRequest, policy: RequestPolicy): Promise<IDataObject> {
		const makeAttempt = async (mayBeDone: boolean): Promise<Attempt<IDataObject>> => {
			const attempt = await sendOnce(this, request);
			if (attempt.kind === 'networkError') return attempt;
			if (isSuccess(attempt.status)) return successIfConfirmed(attempt, request, policy);
			const data = mayBeDone && !isForeignPage(attempt) && policy.successOnRetry?.[attempt.status];
			return data ? { kind: 'success', data } : attempt;
		};
		return await this.withRetries(policy, makeAttempt, policy.secret?.(request));
	}

	/**
	 * Makes attempts until one succeeds or fails for good. Throws like `request`.
	 * @param makeAttempt is told whether an earlier attempt may have taken effect
	 * @param secret hidden in errors, like the access token
	 */
	async withRetries<T>(
		policy: RetryPolicy,
		makeAttempt: (mayBeDone: boolean) => Promise<Attempt<T>>,
		secret = '',
	): Promise<T> {
		const { limiter, stop } = this;
		/** The error of the last attempt that may have taken effect. */
		let lastUnknown: ApiError | undefined;
		for (let retries = 0; ; retries++) {
			await limiter.acquire(retries);
			if (stop.signal.aborted) throw lastUnknown ?? stop.signal.reason;
			try {
				const mayBeDone = lastUnknown !== undefined;
				const attempt = await makeAttempt(mayBeDone);
				if (attempt.kind === 'success') {
					limiter.onSuccess();
					return attempt.data;
				}
				const decision = decide(attempt, policy, { mayBeDone, now: Date.now() });
				const isLast = retries >= this.options.maxRetries;
				const delay = backoff(retries);
				if (decision.isThrottled) {
					const reason = this.reasonToStop(attempt, decision, isLast);
					if (reason) stop.abort(reason);
					// Every request waits, unless the batch ends.
					limiter.onThrottled(decision.wait ?? delay);
				}
				const error = this.toError(attempt, decision, policy, secret);
				if (!decision.isRetryable || isLast || stop.signal.aborted) throw error;
				if (error.kind === 'unknown') lastUnknown = error;
				// It keeps its slot while it waits: the others would fail the same way.
				if (!decision.isThrottled) await Promise.race([sleep(delay), this.stopped]);
			} finally {
				limiter.release();
			}
		}
	}

	/** Why the batch must end, if so: see `decide` in `retryPolicy.ts`. */
	private reasonToStop(
		attempt: Reply,
		{ wait = 0, scope }: RetryDecision,
		isLast: boolean,
	): NotSentError | undefined {
		const { maxWait } = this.options;
		const isTooLong = wait > maxWait * 1000;
		if (!isTooLong && !(scope === 'all' && isLast)) return undefined;
		const reason = isTooLong
			? `The service asked for a wait of ${inSeconds(wait, attempt)}, and 'Max Wait' in the node's options allows ${maxWait}.`
			: "One item still wasn't accepted after 'Max Retries'.";
		return new NotSentError({
			message: 'Not sent: the service is receiving too many requests',
			description: `${reason} Run the workflow again later.`,
		});
	}

	private toError(
		attempt: Reply,
		decision: RetryDecision,
		policy: RetryPolicy,
		secret: string,
	): ApiError {
		const withoutSecrets = (text: string) => redact(text, [this.credentials.accessToken, secret]);
		const message = describeError(attempt, policy, { ...decision, redact: withoutSecrets });
		const { status, cause } = { status: undefined, cause: undefined, ...attempt };
		return new ApiError({ ...message, cause }, decision.kind, status, decision.scope);
	}
}

/** A 2xx is a success only if its `data` confirms it. */
function successIfConfirmed(
	response: HttpResponse,
	request: ApiRequest,
	{ isConfirmedBy, isResource }: RequestPolicy,
): Attempt<IDataObject> {
	const { data, hasError } = parseEnvelope(response.text);
	if (data && isConfirmedBy(data, request)) return { kind: 'success', data };
	// Errors quote the response, but not a resource, which may hold a secret or personal data.
	const mayBeResource = hasError ? data && isResource?.(data) : /^\s*[[{]/.test(response.text);
	return mayBeResource ? { ...response, text: '{}' } : response;
}
