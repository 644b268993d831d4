import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { ItemError } from '../errors/ItemError';
import { fillIn } from '../errors/fillIn';
import { redact } from '../errors/redact';
import { AdaptiveLimiter } from './AdaptiveLimiter';
import { realClock, type Clock } from './clock';
import { CREDENTIAL_TYPE, parseCredentials, type ApiCredentials } from './credentials';
import { namesAnError, unwrapEnvelope } from './envelope';
import type { RequestContext } from './exchange';
import { isSuccess } from './retryPolicy';
import { send } from './send';
import type { ErrorMessage } from '../errors/types';
import type { ApiRequest, RequestPolicy } from './types';
import { withRetries, type RetryContext } from './withRetries';

/** How requests are sent. */
export interface SendOptions {
	/** Maximum number of requests in flight. */
	concurrency: number;
	/** Maximum number of retries for each request. */
	maxRetries: number;
	/** For one attempt, body included, in milliseconds. */
	timeout: number;
	/** The longest wait that the service may ask for, in seconds. */
	maxWait: number;
}

/** Sends the requests of one batch, and shares among them what the service says about its load. */
export class ApiClient implements RetryContext {
	readonly limiter: AdaptiveLimiter;
	readonly maxRetries: number;
	readonly timeout: number;

	/** @param stop once aborted, nothing more is sent; what is in flight may finish */
	constructor(
		readonly context: RequestContext,
		readonly credentials: ApiCredentials,
		private readonly options: SendOptions,
		private readonly stop: AbortController,
		readonly clock: Clock,
	) {
		this.limiter = new AdaptiveLimiter(options.concurrency, clock, stop.signal);
		this.maxRetries = options.maxRetries;
		this.timeout = options.timeout;
	}

	get signal(): AbortSignal {
		return this.stop.signal;
	}

	/**
	 * Sends a request until the service has settled it, as persistently as its policy allows. Resolves
	 * with the envelope's `data`. Throws `ApiError` when it failed for good or was not sent.
	 */
	async request(request: ApiRequest, policy: RequestPolicy): Promise<IDataObject> {
		const { context, credentials, timeout } = this;
		return await withRetries(
			this,
			policy,
			async () => await send(context, credentials, request, timeout),
			(response, isRepeated) => {
				if (!isSuccess(response)) {
					return isRepeated ? policy.doneIfRepeated?.[response.status] : undefined;
				}
				const data = unwrapEnvelope(response.text);
				if (!data) return undefined;
				const isConfirmed = policy.isConfirmedBy?.(data) ?? !namesAnError(response.text);
				return isConfirmed ? data : undefined;
			},
			(text) => this.redact(text, policy.confidential?.(request)),
		);
	}

	/** All requests wait. If the service asks for more patience than allowed, nothing more is sent. */
	onThrottled(wait?: number): void {
		if (wait === undefined || wait <= this.options.maxWait * 1000) {
			this.limiter.onThrottled(wait);
			return;
		}
		const seconds = Math.ceil(wait / 1000);
		const message = fillIn(WAIT_TOO_LONG, { seconds, maxWait: this.options.maxWait });
		this.stop.abort(new ItemError(message, 'notSent'));
	}

	/** Hides the credential's secrets, and what else is confidential, in a text. */
	redact(text: string, confidential: string[] = []): string {
		const { accessToken, webhookSecret } = this.credentials;
		return redact([accessToken, webhookSecret, ...confidential])(text);
	}
}

/** Why nothing more is sent after the service has asked for more patience than allowed. */
export const WAIT_TOO_LONG: ErrorMessage = {
	message: 'Not sent: the service asks to wait {seconds} seconds',
	description:
		"That is longer than the {maxWait} seconds that 'Max Wait' in the node's options allows. Run the workflow again later.",
};

/** Reads the credential once for all requests. Throws `CredentialError`. */
export async function createApiClient(
	context: RequestContext,
	options: SendOptions,
	stop = new AbortController(),
): Promise<ApiClient> {
	const credentials = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
	return new ApiClient(context, parseCredentials(credentials), options, stop, realClock);
}
