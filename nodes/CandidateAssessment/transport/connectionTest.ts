import * as n8nWorkflow from 'n8n-workflow';
import type { ICredentialTestRequest, IHttpRequestOptions } from 'n8n-workflow';
import { API_PATH } from './apiPath';

/**
 * The credential's connection test. No endpoint only checks a token, so it asks for an invitation
 * code that cannot exist: any JSON answer to that, such as "not found", means connected.
 * Specification, "Authentication".
 */

const REFUSED = 'The access token was refused';
const NOT_THE_API = 'No assessment API found at this address. Check the Base URL.';
const IN_TROUBLE = 'The service returned a server error. Try again later.';

/** What keeps the connection test from passing, by HTTP status. */
export const CONNECTION_TEST_MESSAGES: Record<number, string> = {
	...Object.fromEntries(Array.from({ length: 100 }, (_, index) => [500 + index, IN_TROUBLE])),
	301: NOT_THE_API,
	302: NOT_THE_API,
	303: NOT_THE_API,
	307: NOT_THE_API,
	308: NOT_THE_API,
	401: REFUSED,
	403: REFUSED,
	429: 'The service is receiving too many requests. Try again later.',
};

/**
 * The Base URL without slashes and the API's own path at its end. Whether it is safe to send the token
 * there, `authenticate` says.
 */
const BASE_URL = `={{ $credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/*${API_PATH.replaceAll('/', '\\/').replaceAll('.', '\\.')}(\\/.*)?$/, "") }}`;

/**
 * n8n 1.x takes every status for a success once it may ignore one, and shows the rules the body
 * only. As a stream that body is the answer itself, status and headers included; n8n 2.x would
 * show another stream there.
 */
// n8n can except statuses since 2.15; this constant came with 2.16.
const IS_N8N_1 = !('HIGHLIGHTED_SESSION_KEY' in n8nWorkflow);

type Rule = NonNullable<ICredentialTestRequest['rules']>[number];

const bodyRule = (key: string, value: unknown, message: string) =>
	({ type: 'responseSuccessBody', properties: { key, value, message } }) as Rule;

const STATUS_RULES = Object.entries(CONNECTION_TEST_MESSAGES).map(([status, message]) => {
	const value = Number(status);
	if (IS_N8N_1) return bodyRule('statusCode', value, message);
	return { type: 'responseCode', properties: { value, message } } as Rule;
});

/** What is not JSON is a web page, or nothing of the API's. */
const JSON_RULES = IS_N8N_1
	? // The first letter of "text/html", and no letter at all where there is no content type.
		['t', 'T', undefined].map((letter) => bodyRule('headers.content-type.0', letter, NOT_THE_API))
	: // JSON arrives parsed; what is still a text is none.
		[bodyRule('constructor.name', 'String', NOT_THE_API)];

const TEST_PATH = `${API_PATH}/standard/candidates/invitation/n8n-connection-test`;

/** True for the request of the connection test. */
export function isConnectionTest({ url }: IHttpRequestOptions): boolean {
	return url.endsWith(TEST_PATH);
}

export const connectionTest: ICredentialTestRequest = {
	request: {
		baseURL: BASE_URL,
		url: TEST_PATH,
		method: 'GET',
		headers: {
			Accept: 'application/json',
			'Content-Type': 'application/json',
			// An answer that had to be unpacked would be a stream without status and headers.
			...(IS_N8N_1 && { 'Accept-Encoding': 'identity' }),
		},
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: {
			ignore: true,
			except: Object.keys(CONNECTION_TEST_MESSAGES).map(Number),
		},
		...(IS_N8N_1 && { encoding: 'stream' as const }),
	},
	// n8n takes both kinds in one list, which its type does not say.
	rules: [...STATUS_RULES, ...JSON_RULES] as ICredentialTestRequest['rules'],
};
