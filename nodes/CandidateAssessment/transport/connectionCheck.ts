import * as n8nWorkflow from 'n8n-workflow';
import type { ICredentialTestRequest } from 'n8n-workflow';
import * as errorMessages from '../errors/messages';
import { messageWithAdvice } from '../errors/toNodeError';
import { API_PATH } from './envelope';

/**
 * The credential's connection test. No endpoint only checks a token, so it asks for an invitation
 * code that cannot exist: an envelope or a JSON "not found" means connected.
 * Specification, "Authentication".
 */
export const TEST_PATH = `${API_PATH}/standard/candidates/invitation/n8n-connection-test`;

const NOT_THE_API = messageWithAdvice(errorMessages.NOT_THE_API);

/**
 * n8n 1.x either ignores all statuses or none, and shows the rules only the body. Of a stream, that is the
 * response with status and headers, but without its text: there JSON is told by its content type alone.
 * n8n can except statuses since 2.15; the constant below came with 2.16.
 */
const IS_N8N_1 = !('HIGHLIGHTED_SESSION_KEY' in n8nWorkflow);

const bodyRule = (key: string, value: unknown, message: string) => ({
	type: 'responseSuccessBody',
	properties: { key, value, message },
});

/** From 300 to 599, but 404. */
const FAILURES = Array.from({ length: 300 }, (_, index) => 300 + index).filter(
	(status) => status !== 404,
);

const STATUS_RULES = FAILURES.map((status) => {
	const message = messageOf(status);
	if (IS_N8N_1) return bodyRule('statusCode', status, message);
	return { type: 'responseCode', properties: { value: status, message } };
});

function messageOf(status: number): string {
	if (status < 400) return NOT_THE_API;
	// Nothing but the token is tested, so a 403 is about it, too.
	const { message } = errorMessages.describeStatus(status === 403 ? 401 : status);
	if (status === 401 || status === 403) return message;
	return status === 429 || status >= 500
		? `${message}. Try again later.`
		: `${message} (${status})`;
}

/** First characters of what is no JSON object. An empty response has none. */
const NOT_AN_OBJECT = [
	undefined,
	...Array.from({ length: 127 }, (_, code) => String.fromCharCode(code)),
].filter((character) => character !== '{');

const CONTENT_RULES = IS_N8N_1
	? // The first letter of "text/html", and no letter at all where there is no content type.
		['t', 'T', undefined].map((letter) => bodyRule('headers.content-type.0', letter, NOT_THE_API))
	: NOT_AN_OBJECT.map((character) => bodyRule('0', character, NOT_THE_API));

export const connectionCheck: ICredentialTestRequest = {
	request: {
		// Replaced by `authenticate`, but n8n compares the host with the credential's Allowed Domains.
		baseURL: '={{ $credentials.baseUrl.trim() }}',
		url: TEST_PATH,
		method: 'GET',
		headers: {
			Accept: 'application/json',
			'Content-Type': 'application/json',
			// An unpacked response would be a stream without status and headers.
			...(IS_N8N_1 && { 'Accept-Encoding': 'identity' }),
		},
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: { ignore: true, except: FAILURES },
		encoding: IS_N8N_1 ? 'stream' : 'text',
	},
	// n8n takes both kinds in one list, which its type does not say.
	rules: [...STATUS_RULES, ...CONTENT_RULES] as ICredentialTestRequest['rules'],
};
