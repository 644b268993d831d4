import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { realClock, type Clock } from './clock';
import { connectionFrom, CREDENTIAL_TYPE, type Connection } from './connection';
import { Pushback } from './Pushback';
import type { Sender } from './send';

/** How long one request is given, and how often. */
export interface Patience {
	/** How often one request is sent again at most. */
	maxRetries: number;
	/** For one attempt, in milliseconds. */
	timeout: number;
}

/** The line to the service: all that the requests of one batch share. */
export interface Line extends Patience {
	sender: Sender;
	connection: Connection;
	pushback: Pushback;
	clock: Clock;
	/** When aborted, nothing more is sent; what is in flight may end. */
	stop: AbortSignal;
}

/** Reads the credential once for all requests. Throws `BadCredential`. */
export async function openLine(
	sender: Sender,
	patience: Patience,
	stop: AbortSignal = new AbortController().signal,
): Promise<Line> {
	const credential = await sender.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
	return {
		...patience,
		sender,
		connection: connectionFrom(credential),
		pushback: new Pushback(realClock),
		clock: realClock,
		stop,
	};
}
