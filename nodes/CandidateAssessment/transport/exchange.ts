import type {
	IAllExecuteFunctions,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { ItemError } from '../errors/ItemError';
import { raceAbort } from './abort';
import { CREDENTIAL_TYPE, type ApiCredentials } from './credentials';
import { causesOf, lostConnection, networkError } from './networkError';
import type { NetworkError } from './types';

/** Where a request can be sent from: n8n's context of an execution or of a webhook's registration. */
export type RequestContext = IExecuteFunctions | IHookFunctions;

/** How a request is sent. */
export interface Connection {
	context: RequestContext;
	/** For one attempt, body included, in seconds. */
	timeout: number;
	/** Authenticate the request; without them no token is sent. */
	credentials?: ApiCredentials;
}

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
 * One HTTP exchange, from connecting to the last byte of the body, within the timeout by the clock on
 * the wall. Redirects are not followed, and every status is a response.
 * @param consume reads the body; an `ItemError` that it throws is passed on
 */
export async function exchange<T>(
	{ context, timeout, credentials }: Connection,
	options: IHttpRequestOptions,
	consume: (response: StreamedResponse) => Promise<T>,
): Promise<T | NetworkError> {
	const deadline = AbortSignal.timeout(timeout * 1000);
	let response: StreamedResponse | undefined;
	const run = async () => {
		response = await open(context, { ...options, abortSignal: deadline }, credentials);
		return await consume(response);
	};
	try {
		return await raceAbort(run(), deadline);
	} catch (error) {
		response?.body.destroy();
		const own = causesOf(error).find((cause) => cause instanceof ItemError);
		if (own) throw own;
		if (deadline.aborted) return lostConnection('ETIMEDOUT');
		return response ? lostConnection((error as { code?: string }).code) : networkError(error);
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
