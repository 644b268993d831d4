import type {
	IAllExecuteFunctions,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { raceAbort } from './abort';
import { CREDENTIAL_TYPE, type ApiCredentials } from './credentials';
import type { Attempt, NetworkError } from './types';

/** Where a request can be sent from: n8n's context of an execution or of a webhook's registration. */
export type RequestContext = IExecuteFunctions | IHookFunctions;

/** Node's stream, which the linter lets nobody import. */
export type Readable = Exclude<Parameters<BinaryDataOf>[0], Buffer>;
type BinaryDataOf = IExecuteFunctions['helpers']['prepareBinaryData'];

/** A response whose body has not been read yet. */
export interface StreamedResponse {
	status: number;
	headers: Readonly<Record<string, unknown>>;
	body: Readable;
}

/**
 * One HTTP exchange, from connecting to the last byte of the body, within `timeout` milliseconds by the
 * clock on the wall. Redirects are not followed, and every status is a response.
 * @param credentials authenticate the request; without them no token is sent
 * @param consume reads the body
 */
export async function exchange(
	context: RequestContext,
	options: IHttpRequestOptions,
	timeout: number,
	credentials: ApiCredentials | undefined,
	consume: (response: StreamedResponse) => Promise<Attempt>,
): Promise<Attempt> {
	const deadline = AbortSignal.timeout(timeout);
	let response: StreamedResponse | undefined;
	const run = async () => {
		response = await open(context, { ...options, abortSignal: deadline }, credentials);
		return await consume(response);
	};
	try {
		return await raceAbort(run(), deadline);
	} catch (error) {
		response?.body.destroy();
		if (deadline.aborted) return TIMED_OUT;
		return response ? lost(error) : networkError(error);
	}
}

async function open(
	context: RequestContext,
	options: IHttpRequestOptions,
	credentials: ApiCredentials | undefined,
): Promise<StreamedResponse> {
	const streamed: IHttpRequestOptions = {
		...options,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	const { statusCode, headers, body } = (await (credentials
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
 * The context without its cancel signal, which n8n would put on the request: Stop in the editor must not
 * cut off an invitation that is in flight.
 */
function uncancelled(context: RequestContext): IAllExecuteFunctions {
	return {
		helpers: context.helpers,
		logger: context.logger,
		getNode: () => context.getNode(),
		getCredentials: async (type: string) => await context.getCredentials(type),
	} as unknown as IAllExecuteFunctions;
}

const TIMED_OUT: NetworkError = {
	kind: 'networkError',
	code: 'ETIMEDOUT',
	wasSent: true,
	isTransient: true,
};

/** Connections that were never made, and may be made later. */
const CONNECT_ERROR_CODES = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENETDOWN',
	'UND_ERR_CONNECT_TIMEOUT',
]);

/** The protocol of TLS is agreed on before anything is sent, but these can come later as well. */
const PROTOCOL_ERROR =
	/^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|PACKET_LENGTH_TOO_LONG|.*HANDSHAKE.*|.*PROTOCOL_VERSION))$/;

/** The certificate is checked before anything is sent, and only then. */
const CERTIFICATE_ERROR =
	/^(ERR_INVALID_URL|ERR_TLS_CERT_ALTNAME_INVALID|CERT_.*|.*SELF_SIGNED.*|UNABLE_TO_.*|CRL_.*|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)$/;

/** What an error means that came instead of a response. */
export function networkError(error: unknown): NetworkError {
	const chain = causesOf(error);
	const blocked = chain.find(({ name }) => name.startsWith('SsrfBlocked'));
	if (blocked) return refusedByN8n(blocked);
	const code = chain.map((cause) => cause.code).find((one) => typeof one === 'string');
	if (code === undefined && !chain.some((cause) => cause.isAxiosError)) {
		// Thrown before a connection was tried, such as by the credential's `authenticate`.
		return refusedByN8n(chain.at(-1));
	}
	if (code === undefined) return lost(error);
	const isUnreachable = CONNECT_ERROR_CODES.has(code) && !chain.some(isAboutOpenConnection);
	const isUntrusted =
		CERTIFICATE_ERROR.test(code) || (PROTOCOL_ERROR.test(code) && !chain.some(hasShakenHands));
	const wasSent = !isUnreachable && !isUntrusted;
	return { kind: 'networkError', code, wasSent, isTransient: isUnreachable || wasSent };
}

/** A network that goes away during a request has the same codes as one that was never there. */
function isAboutOpenConnection({ syscall = '' }: Cause): boolean {
	return ['read', 'write'].includes(syscall);
}

/** Such as a proxy that answers in plain text in the middle of a TLS connection. */
function hasShakenHands({ request }: Cause): boolean {
	return request?.socket?.secureConnecting === false;
}

/** n8n did not send it, and says why in words for its users. */
function refusedByN8n(error?: Cause): NetworkError {
	const explanation = error && {
		message: error.message,
		description: error.description ?? undefined,
	};
	return { kind: 'networkError', code: 'unknown', wasSent: false, isTransient: false, explanation };
}

function lost(error: unknown): NetworkError {
	const code = causesOf(error).find((cause) => typeof cause.code === 'string')?.code;
	return { kind: 'networkError', code: code ?? 'unknown', wasSent: true, isTransient: true };
}

interface Cause extends Error {
	code?: string;
	description?: string | null;
	isAxiosError?: boolean;
	syscall?: string;
	request?: { socket?: { secureConnecting?: boolean } };
}

/** The error and its causes: n8n wraps the connection's own error. */
function causesOf(error: unknown): Cause[] {
	const chain: Cause[] = [];
	for (let cause = error; cause instanceof Error && chain.length < 10; cause = cause.cause) {
		chain.push(cause);
	}
	return chain;
}
