import { RESPONSE_TOO_LARGE } from '../errors/messages';
import type { ApiCredentials } from './credentials';
import { exchange, type RequestContext, type StreamedResponse } from './exchange';
import type { ApiRequest, Attempt } from './types';

/** Far beyond any envelope; a larger response would only fill n8n's memory. In bytes. */
const MAX_RESPONSE_BYTES = 5 * 2 ** 20;

/**
 * Sends a request once. Whatever status comes back is a response, with its body as text.
 * Specification, "Endpoints" (the headers).
 * @param timeout in milliseconds
 */
export async function send(
	context: RequestContext,
	credentials: ApiCredentials,
	{ method, path, body }: ApiRequest,
	timeout: number,
): Promise<Attempt> {
	const options = {
		method,
		url: `${credentials.baseUrl}${path}`,
		headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
		body,
	};
	return await exchange(context, options, timeout, credentials, readText);
}

async function readText({ status, headers, body }: StreamedResponse): Promise<Attempt> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of body as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > MAX_RESPONSE_BYTES) {
			// It was carried out or not: nobody can read which.
			return { kind: 'networkError', code: RESPONSE_TOO_LARGE, wasSent: true, isTransient: false };
		}
		chunks.push(chunk);
	}
	return { kind: 'response', status, headers, text: decode(Buffer.concat(chunks), headers) };
}

/** By the byte order mark (which is no part of the text), else as the content type says, else as UTF-8. */
function decode(body: Buffer, headers: StreamedResponse['headers']): string {
	const begin = body.toString('hex', 0, 3);
	const mark = Object.keys(BYTE_ORDER_MARKS).find((bytes) => begin.startsWith(bytes));
	const [, label] =
		/;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(String(headers['content-type'])) ?? [];
	try {
		return new TextDecoder(mark ? BYTE_ORDER_MARKS[mark] : label).decode(body);
	} catch {
		// Nobody knows this label.
		return new TextDecoder().decode(body);
	}
}

const BYTE_ORDER_MARKS: Readonly<Record<string, string>> = {
	efbbbf: 'utf-8',
	fffe: 'utf-16le',
	feff: 'utf-16be',
};
