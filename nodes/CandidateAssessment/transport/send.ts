import { RESPONSE_TOO_LARGE } from '../errors/messages';
import { exchange, type Connection } from './exchange';
import { lostConnection } from './networkError';
import type { ApiRequest, FailedAttempt } from './types';

/** Far beyond any envelope; a larger response would only fill n8n's memory. In bytes. */
const MAX_RESPONSE_BYTES = 5 * 2 ** 20;

/**
 * Sends a request once. Every status that comes back is a response, with its body as text.
 * Specification, "Endpoints" (the headers).
 */
export async function send(
	connection: Required<Connection>,
	{ method, path, body }: ApiRequest,
): Promise<FailedAttempt> {
	const options = {
		method,
		url: `${connection.credentials.baseUrl}${path}`,
		headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
		body,
	};
	return await exchange<FailedAttempt>(connection, options, async (response) => {
		const { status, headers } = response;
		const chunks: Buffer[] = [];
		let size = 0;
		for await (const chunk of response.body as AsyncIterable<Buffer>) {
			size += chunk.length;
			// It was carried out or not: nobody can read which.
			if (size > MAX_RESPONSE_BYTES) return lostConnection(RESPONSE_TOO_LARGE);
			chunks.push(chunk);
		}
		// A byte order mark is no part of the text.
		const text = new TextDecoder().decode(Buffer.concat(chunks));
		return { kind: 'response', status, headers, text };
	});
}
