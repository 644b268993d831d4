import * as n8nWorkflow from 'n8n-workflow';
import type { ICredentialTestRequest } from 'n8n-workflow';
import { describeStatus, NOT_THE_API } from '../errors/messages';
import { API_PATH } from './credentials';

/**
 * The credential's connection test. n8n's rules only compare, so each failing status and each wrong first character has
 * a rule. No endpoint only checks a token, so it asks for an invitation code that cannot exist: a JSON object with
 * 200 or 404 means connected. Specification, "Authentication".
 */
export const TEST_PATH = `${API_PATH}/standard/candidates/invitation/n8n-connection-test`;

/**
 * Below 2.16, n8n's rules see only the body. A stream's body is the response with status and headers, but no text, so
 * only the content type tells JSON. The constant below came with 2.16 (docs/design/credential.md).
 */
const IS_BELOW_2_16 = !('HIGHLIGHTED_SESSION_KEY' in n8nWorkflow);

const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);

const FAILURES = [...range(300, 403), ...range(405, 599)];

/** n8n shows the message if that part of the body equals the value. The first rule that fits counts. */
const bodyRule = (key: string, value: unknown, message: string) => ({
	type: 'responseSuccessBody',
	properties: { key, value, message },
});

/** n8n shows the message for that status. 2.16 to 2.33 have words of their own. */
const statusRule = (value: number, message: string) =>
	IS_BELOW_2_16
		? bodyRule('statusCode', value, message)
		: { type: 'responseCode', properties: { value, message } };

function messageOf(status: number): string {
	if (status < 400) return `${NOT_THE_API.message}. ${NOT_THE_API.description}`;
	const { message, description } = describeStatus(status === 403 ? 401 : status);
	if (status === 401) return `${message}. Enter a current access token.`;
	// n8n doesn't show whether a 403 is a web page.
	if (status === 403) {
		return `${message}, or a proxy or firewall refused the request. Enter a current access token, or ask your n8n administrator.`;
	}
	if ([402, 407].includes(status)) return `${message}. ${description}`;
	if (status === 429 || status >= 500) return `${message}. Try again later.`;
	return `${message} (${status})`;
}

const NOT_JSON = `${NOT_THE_API.message}. ${NOT_THE_API.description} If it's correct, ask your n8n administrator about a proxy or firewall.`;

/** First characters of anything but a JSON object. An empty response has none. */
const NOT_AN_OBJECT = [undefined, ...range(0, 126).map((code) => String.fromCharCode(code))].filter(
	(character) => character !== '{',
);

const contentRules = IS_BELOW_2_16
	? // The first letter of "text/html", or none without a content type.
		['t', 'T', undefined].map((letter) => bodyRule('headers.content-type.0', letter, NOT_JSON))
	: NOT_AN_OBJECT.map((character) => bodyRule('0', character, NOT_JSON));

export const connectionCheck: ICredentialTestRequest = {
	request: {
		// Replaced by `authenticate`, but n8n compares the host with the credential's Allowed Domains.
		baseURL: '={{ $credentials.baseUrl.trim() }}',
		url: TEST_PATH,
		method: 'GET',
		headers: {
			Accept: 'application/json',
			'Content-Type': 'application/json',
			// A decompressed response would be a stream without status and headers.
			...(IS_BELOW_2_16 && { 'Accept-Encoding': 'identity' }),
		},
		disableFollowRedirect: true,
		// A 404 is no failure here. Below 2.16, nothing is.
		ignoreHttpStatusErrors: { ignore: true, except: FAILURES },
		encoding: IS_BELOW_2_16 ? 'stream' : 'text',
	},
	rules: [
		...FAILURES.map((status) => statusRule(status, messageOf(status))),
		...contentRules,
	] as ICredentialTestRequest['rules'],
};
