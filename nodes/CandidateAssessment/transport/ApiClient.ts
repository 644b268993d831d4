import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { realClock, type Clock } from './clock';
import { connectionFrom, CREDENTIAL_TYPE, type Connection } from './credentials';
import { Pace } from './AdaptiveLimiter';
import type { Sender } from './send';

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
export interface Line extends Omit<SendOptions, 'concurrency'> {
	sender: Sender;
	connection: Connection;
	pace: Pace;
	clock: Clock;
	/** When aborted, nothing more is sent; what is in flight may end. */
	stop: AbortSignal;
}

/** Reads the credential once for all requests. Throws `BadCredential`. */
export async function openLine(
	sender: Sender,
	{ concurrency, ...options }: SendOptions,
	stop: AbortSignal = new AbortController().signal,
): Promise<Line> {
	const credential = await sender.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
	return {
		...options,
		sender,
		connection: connectionFrom(credential),
		pace: new Pace(concurrency, realClock, stop),
		clock: realClock,
		stop,
	};
}
