import type {
	IAllExecuteFunctions,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import type { FailedAttempt, HttpResponse, NetworkError } from '../errors/FailedAttempt';
import { ItemError } from '../errors/ItemError';
import { CREDENTIAL_TYPE, type ApiCredentials } from './credentials';
import { lostConnection, networkError } from './networkError';
import type { ApiRequest, SendOptions } from './types';

export interface Sender {
	context: IExecuteFunctions | IHookFunctions;
	credentials: ApiCredentials;
	options: SendOptions;
}

/** A response whose body is still arriving. */
export interface OpenResponse extends Pick<HttpResponse, 'status' | 'headers'> {
	body: Exclude<Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0], Buffer>;
}

/** Far more than any envelope has; a larger response would fill n8n's memory. In bytes. */
const MAX_RESPONSE_BYTES = 5 * 2 ** 20;

/** Sends a request once, and reads the body as text. Specification, "Endpoints" (the headers). */
export async function send(
	sender: Sender,
	{ method, path, body: json }: ApiRequest,
): Promise<FailedAttempt> {
	const options = {
		method,
		url: `${sender.credentials.baseUrl}${path}`,
		headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
		body: json,
	};
	return await exchange(sender, options, async ({ status, headers, body }) => {
		const chunks: Buffer[] = [];
		let size = 0;
		for await (const chunk of body as AsyncIterable<Buffer>) {
			size += chunk.length;
			if (size > MAX_RESPONSE_BYTES) return lostConnection('ERR_RESPONSE_TOO_LARGE');
			chunks.push(chunk);
		}
		// Drops a byte order mark.
		const text = new TextDecoder().decode(Buffer.concat(chunks));
		return { kind: 'response', status, headers, text };
	});
}

/**
 * One HTTP exchange, from connecting to the body's last byte, with one timeout. It follows no redirects, and every status
 * is a response. An unreadable body is a lost connection: the request may have been carried out.
 * @param read may throw `ItemError`
 */
export async function exchange<T>(
	sender: Sender,
	options: IHttpRequestOptions,
	read: (response: OpenResponse) => Promise<T>,
): Promise<T | NetworkError> {
	const deadline = AbortSignal.timeout(sender.options.timeout * 1000);
	let response: OpenResponse | undefined;
	try {
		// Without a timeout of its own, n8n's client would give up after five minutes.
		response = await open(sender, { ...options, abortSignal: deadline, timeout: 0 });
		return await read(response);
	} catch (error) {
		if (deadline.aborted) return lostConnection('ETIMEDOUT');
		return response ? readError(error) : networkError(error);
	} finally {
		// n8n's client closes the connection only of a body that was read from.
		response?.body.read();
		response?.body.destroy();
	}
}

/** The credential type's `authenticate` adds the access token, for the base URL's own origin only. */
async function open(
	{ context, credentials }: Sender,
	options: IHttpRequestOptions,
): Promise<OpenResponse> {
	const streamed: IHttpRequestOptions = {
		...options,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	const isOwnOrigin = new URL(options.url).origin === new URL(credentials.baseUrl).origin;
	const { helpers } = context;
	const caller = uncancelled(context);
	const more = { credentialsDecrypted: credentials.decrypted };
	const response = isOwnOrigin
		? helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL_TYPE, streamed, more)
		: helpers.httpRequest(streamed);
	const { statusCode, headers, body } = (await response) as IN8nHttpFullResponse;
	return { status: statusCode, headers, body: body as OpenResponse['body'] };
}

/** The context without its cancel signal, which n8n adds to requests: stopping must not cut off an invitation. */
function uncancelled(context: Sender['context']): IAllExecuteFunctions {
	return {
		helpers: context.helpers,
		logger: context.logger,
		getNode: () => context.getNode(),
		getCredentials: async (type: string) => await context.getCredentials(type),
	} as unknown as IAllExecuteFunctions;
}

/** An `ItemError` is about the response's content. n8n's linter forbids rethrowing it in the `catch`. */
function readError(error: unknown): NetworkError {
	if (error instanceof ItemError) throw error;
	const { code, message } = error as { code?: string; message: string };
	return lostConnection(code, message);
}
