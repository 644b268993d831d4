import type {
	IAllExecuteFunctions,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { ItemError } from '../errors/ItemError';
import { CREDENTIAL_TYPE, type ApiCredentials } from './credentials';
import type { ApiRequest, FailedAttempt, HttpResponse, NetworkError, SendOptions } from './types';

export interface Connection {
	/** n8n's context of an execution or of a hook. */
	context: IExecuteFunctions | IHookFunctions;
	credentials: ApiCredentials;
	options: SendOptions;
}

/** A response whose body is still on its way. */
export interface OpenResponse extends Pick<HttpResponse, 'status' | 'headers'> {
	body: Exclude<Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0], Buffer>;
}

/** Far more than any envelope has; a larger response would fill n8n's memory. In bytes. */
const MAX_RESPONSE_BYTES = 5 * 2 ** 20;

/** Sends a request once, and reads the body as text. Specification, "Endpoints" (the headers). */
export async function send(
	connection: Connection,
	{ method, path, body: json }: ApiRequest,
): Promise<FailedAttempt> {
	const options = {
		method,
		url: `${connection.credentials.baseUrl}${path}`,
		headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
		body: json,
	};
	return await exchange(connection, options, async ({ status, headers, body }) => {
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
 * One HTTP exchange, from connecting to the last byte of the body, with a wall-clock timeout. Redirects
 * are not followed, and every status is a response. A body that can't be read is a lost connection: the
 * request may have been carried out.
 * @param read may throw `ItemError`
 */
export async function exchange<T>(
	connection: Connection,
	options: IHttpRequestOptions,
	read: (response: OpenResponse) => Promise<T>,
): Promise<T | NetworkError> {
	const deadline = AbortSignal.timeout(connection.options.timeout * 1000);
	let response: OpenResponse | undefined;
	try {
		response = await open(connection, { ...options, abortSignal: deadline });
		return await read(response);
	} catch (error) {
		if (deadline.aborted) return lostConnection('ETIMEDOUT');
		return response ? readError(error) : networkError(error);
	} finally {
		response?.body.destroy();
	}
}

/** Sends the access token to the base URL's own origin only. */
async function open(
	{ context, credentials }: Connection,
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
	const { statusCode, headers, body } = (await (isOwnOrigin
		? context.helpers.httpRequestWithAuthentication.call(
				uncancelled(context),
				CREDENTIAL_TYPE,
				streamed,
				{ credentialsDecrypted: credentials.decrypted },
			)
		: context.helpers.httpRequest(streamed))) as IN8nHttpFullResponse;
	return { status: statusCode, headers, body: body as OpenResponse['body'] };
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

/** Connect-phase codes; a read or write message overrides them. */
const CONNECT_ERROR_CODES =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/;

/** A network that fails during a request reports the same codes. */
const DURING_REQUEST = /^(read|write) /;

/**
 * Node's messages before a connection is complete, TLS included. If the handshake fails, the request
 * can't be written (EPROTO); a later TLS error has a code such as ERR_SSL_….
 */
const BEFORE_REQUEST =
	/^(connect |Client network socket disconnected before secure TLS connection was established|write EPROTO .*SSL routines)/;

/** Addresses and certificates are only checked before anything is sent. */
const NEVER_SENT_CODES =
	/^(ERR_INVALID_URL|SsrfBlocked.*|ERR_TLS_CERT_ALTNAME_INVALID|CERT_.*|.*SELF_SIGNED.*|UNABLE_TO_.*|CRL_.*|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)$/;

/** What came instead of a response. The request counts as sent, unless the error can only happen before. */
export function networkError(error: unknown): NetworkError {
	const chain = causesOf(error);
	const [outermost] = chain;
	const blocked = chain.find(({ name }) => name.startsWith('SsrfBlocked'));
	// Below 2.34, n8n drops the cause, but keeps its code and message.
	const code = blocked?.name ?? outermost?.httpCode ?? outermost?.code;
	const message = outermost?.messages?.[0] ?? outermost?.message ?? '';
	if (!code) return lostConnection();
	const wasNotSent =
		(CONNECT_ERROR_CODES.test(code) && !DURING_REQUEST.test(message)) ||
		BEFORE_REQUEST.test(message) ||
		NEVER_SENT_CODES.test(code);
	return { kind: 'networkError', code, wasSent: !wasNotSent };
}

/** What is wrong with a response is no fault of the connection. */
function readError(error: unknown): NetworkError {
	if (error instanceof ItemError) throw error;
	return lostConnection((error as { code?: string }).code);
}

/** The request may have been carried out. */
function lostConnection(code = 'unknown'): NetworkError {
	return { kind: 'networkError', code, wasSent: true };
}

/** n8n's own errors have `httpCode` and `messages`. */
interface Cause extends Error {
	code?: string;
	httpCode?: string | null;
	messages?: string[];
}

/** An error and its causes, which may form a circle. */
function causesOf(error: unknown, max = 10): Cause[] {
	return error instanceof Error && max > 0 ? [error, ...causesOf(error.cause, max - 1)] : [];
}
