import type {
	IAllExecuteFunctions,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { ItemError } from '../errors/ItemError';
import { CREDENTIAL_TYPE, type ApiCredentials } from './credentials';
import { causesOf, lostConnection, networkError } from './networkError';
import type { ApiRequest, FailedAttempt, HttpResponse, NetworkError, SendOptions } from './types';

/** How a request is sent. */
export interface Connection {
	/** n8n's context of an execution or of a hook. */
	context: IExecuteFunctions | IHookFunctions;
	credentials: ApiCredentials;
	options: SendOptions;
}

/** Node's `Readable`. The linter allows no import of `stream`. */
export type Readable = Exclude<Parameters<BinaryDataOf>[0], Buffer>;
type BinaryDataOf = IExecuteFunctions['helpers']['prepareBinaryData'];

/** A response whose body has not been read yet. */
interface StreamedResponse extends Pick<HttpResponse, 'status' | 'headers'> {
	body: Readable;
}

/** Far more than any envelope has; a larger response would fill n8n's memory. In bytes. */
const MAX_RESPONSE_BYTES = 5 * 2 ** 20;

/**
 * Sends a request once. Every status that comes back is a response, with its body as text.
 * Specification, "Endpoints" (the headers).
 */
export async function send(connection: Connection, { method, path, body: json }: ApiRequest) {
	const options = {
		method,
		url: `${connection.credentials.baseUrl}${path}`,
		headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
		body: json,
	};
	return await exchange<FailedAttempt>(connection, options, async ({ status, headers, body }) => {
		const chunks: Buffer[] = [];
		let size = 0;
		for await (const chunk of body as AsyncIterable<Buffer>) {
			size += chunk.length;
			// The request may have been carried out, but the response can't be read.
			if (size > MAX_RESPONSE_BYTES) return lostConnection('ERR_RESPONSE_TOO_LARGE');
			chunks.push(chunk);
		}
		// A byte order mark is no part of the text.
		const text = new TextDecoder().decode(Buffer.concat(chunks));
		return { kind: 'response', status, headers, text };
	});
}

/**
 * One HTTP exchange, from connecting to the last byte of the body, with a wall-clock timeout. Redirects
 * are not followed, and every status is a response.
 * @param consume reads the body; an `ItemError` that it throws is passed on
 */
export async function exchange<T>(
	connection: Connection,
	options: IHttpRequestOptions,
	consume: (response: StreamedResponse) => Promise<T>,
): Promise<T | NetworkError> {
	const deadline = AbortSignal.timeout(connection.options.timeout * 1000);
	let response: StreamedResponse | undefined;
	try {
		response = await open(connection, { ...options, abortSignal: deadline });
		return await consume(response);
	} catch (error) {
		const itemError = causesOf(error).find((cause) => cause instanceof ItemError);
		if (itemError) throw itemError;
		if (deadline.aborted) return lostConnection('ETIMEDOUT');
		return response ? lostConnection((error as { code?: string }).code) : networkError(error);
	} finally {
		// axios closes the connection of a stream only if somebody has begun to read it.
		response?.body.read(0);
		response?.body.destroy();
	}
}

/** Sends the access token to the base URL's own origin only. */
async function open({ context, credentials }: Connection, options: IHttpRequestOptions) {
	const streamed: IHttpRequestOptions = {
		...options,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	const isOwnOrigin = new URL(options.url).origin === new URL(credentials.baseUrl).origin;
	const { statusCode, headers, body } = (await (isOwnOrigin
		? context.helpers.httpRequestWithAuthentication.call(
				uncancelled(context),
				CREDENTIAL_TYPE,
				streamed,
				{ credentialsDecrypted: credentials.decrypted },
			)
		: context.helpers.httpRequest(streamed))) as IN8nHttpFullResponse;
	return { status: statusCode, headers, body: body as unknown as Readable };
}

/**
 * The context without its cancel signal, which n8n would add to the request. Stopping an execution must
 * not cut off an invitation in flight.
 */
function uncancelled(context: Connection['context']): IAllExecuteFunctions {
	return {
		helpers: context.helpers,
		logger: context.logger,
		getNode: () => context.getNode(),
		getCredentials: async (type: string) => await context.getCredentials(type),
	} as unknown as IAllExecuteFunctions;
}
