import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { realClock, type Clock } from './clock';
import { parseCredentials, CREDENTIAL_TYPE, type ApiCredentials } from './credentials';
import { AdaptiveLimiter } from './AdaptiveLimiter';
import type { RequestContext } from './send';

/** How requests are sent. */
export interface SendOptions {
	/** Requests under way at once, at most. */
	concurrency: number;
	/** How often one request is sent again at most. */
	maxRetries: number;
	/** For one attempt, in milliseconds. */
	timeout: number;
}

/** The line to the service: all that the requests of one batch share. */
export interface ApiClient extends Omit<SendOptions, 'concurrency'> {
	context: RequestContext;
	credentials: ApiCredentials;
	limiter: AdaptiveLimiter;
	clock: Clock;
	/** When aborted, nothing more is sent; what is in flight may end. */
	signal: AbortSignal;
}

/** Reads the credential once for all requests. Throws `BadCredential`. */
export async function createApiClient(
	context: RequestContext,
	{ concurrency, ...options }: SendOptions,
	signal: AbortSignal = new AbortController().signal,
): Promise<ApiClient> {
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
	return {
		...options,
		context,
		credentials: parseCredentials(credential),
		limiter: new AdaptiveLimiter(concurrency, realClock, signal),
		clock: realClock,
		signal,
	};
}
