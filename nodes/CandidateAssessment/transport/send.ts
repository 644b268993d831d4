import type { IAllExecuteFunctions, IHookFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { CREDENTIAL_TYPE, type ApiCredentials } from './credentials';
import type { Attempt, ApiRequest } from './types';

/** Where a request can be sent from: n8n's context of an execution or of a webhook's registration. */
export type RequestContext = IAllExecuteFunctions | IHookFunctions;

/** Errors of a connection that was never made: nothing can have reached the service. */
const CONNECT_ERROR_CODES = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ERR_INVALID_URL',
]);

/**
 * Sends a request once. Whatever status the service answers with is an answer, and its body stays
 * text: what they mean is for others to judge. Specification, "Endpoints" (the headers).
 * @param timeout in milliseconds
 */
export async function send(
	sender: RequestContext,
	{ baseUrl, decrypted }: ApiCredentials,
	{ method, path, body }: ApiRequest,
	timeout: number,
): Promise<Attempt> {
	try {
		const response = (await sender.helpers.httpRequestWithAuthentication.call(
			sender as IAllExecuteFunctions,
			CREDENTIAL_TYPE,
			{
				method,
				url: `${baseUrl}${path}`,
				headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
				body,
				timeout,
				encoding: 'text',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				// A bearer token goes nowhere but to the base URL.
				disableFollowRedirect: true,
			},
			{ credentialsDecrypted: decrypted },
		)) as IN8nHttpFullResponse;
		return {
			kind: 'response',
			status: response.statusCode,
			headers: response.headers,
			text: typeof response.body === 'string' ? response.body : '',
		};
	} catch (error) {
		return networkError(error);
	}
}

/** What a request that n8n could not bring to an answer means. */
export function networkError(error: unknown): Attempt {
	const code = codeOf(error);
	return { kind: 'networkError', code, sent: !CONNECT_ERROR_CODES.has(code) };
}

/** The first error code down the chain of causes; n8n wraps the connection's own error. */
function codeOf(error: unknown): string {
	for (let cause = error; cause instanceof Error; cause = cause.cause) {
		const { code } = cause as Error & { code?: unknown };
		if (typeof code === 'string') return code;
	}
	return 'unknown';
}
