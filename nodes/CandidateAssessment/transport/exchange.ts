import type {
	IAllExecuteFunctions,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { ItemError } from '../errors/ItemError';
import { CREDENTIAL_TYPE, type ApiCredentials } from './credentials';
import type { ApiRequest, HttpResponse, NetworkError, Reply, SendOptions } from './types';

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
export async function sendOnce(
	sender: Sender,
	{ method, path, body: json }: ApiRequest,
): Promise<Reply> {
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
	return lostConnection(code, message, error);
}

/** Connect-phase codes; a read or write message overrides them. */
const CONNECT_ERROR_CODES =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/;

/** A network that fails during a request reports the same codes. */
const DURING_REQUEST = /^(read|write) /;

/** Node's messages before a connection is complete. EPROTO is a failed TLS handshake; later errors are ERR_SSL_…. */
const BEFORE_REQUEST =
	/^(connect |Client network socket disconnected before secure TLS connection was established|write EPROTO .*SSL routines)/;

/** Addresses and certificates are only checked before anything is sent. */
const NEVER_SENT_CODES =
	/^(ERR_INVALID_URL|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)$|^(SsrfBlocked|CERT_|UNABLE_TO_|CRL_)|SELF_SIGNED/;

/** A request counts as sent, unless its error can only happen before sending. */
export function networkError(error: unknown): NetworkError {
	const chain = withCauses(error);
	const [outermost] = chain;
	const blocked = chain.find(({ name }) => name.startsWith('SsrfBlocked'));
	// Before 2.34, n8n drops the cause, but keeps its code and message.
	const code = blocked?.name ?? outermost?.httpCode ?? outermost?.code;
	const message = outermost?.messages?.[0] ?? outermost?.message ?? '';
	if (!code) return lostConnection(code, message, error);
	const wasNotSent =
		(CONNECT_ERROR_CODES.test(code) && !DURING_REQUEST.test(message)) ||
		BEFORE_REQUEST.test(message) ||
		NEVER_SENT_CODES.test(code);
	return { kind: 'networkError', code, message, wasSent: !wasNotSent };
}

/** The request may have been carried out. */
function lostConnection(code = '', message = '', cause?: unknown): NetworkError {
	return { kind: 'networkError', code, message, wasSent: true, ...(!code && { cause }) };
}

interface Cause extends Error {
	code?: string;
	httpCode?: string | null;
	messages?: string[];
}

/** An error and its causes, which may form a cycle. */
function withCauses(error: unknown, max = 10): Cause[] {
	return error instanceof Error && max > 0 ? [error, ...withCauses(error.cause, max - 1)] : [];
}
