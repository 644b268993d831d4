import * as n8nWorkflow from 'n8n-workflow';
import type { ICredentialTestRequest, IHttpRequestOptions } from 'n8n-workflow';
import { describeStatus, NOT_THE_API } from '../errors/messages';
import { API_PATH } from './envelope';

/**
 * The credential's connection test. No endpoint only checks a token, so it asks for an invitation
 * code that cannot exist: a JSON object with 200 or 404 means connected.
 * Specification, "Authentication".
 */
export const TEST_PATH = `${API_PATH}/standard/candidates/invitation/n8n-connection-test`;

/**
 * n8n shows the rules only the body. Below 2.16, the body of a stream is the response with status and
 * headers, but without its text: there JSON is told by its content type alone. Later the status is told by
 * `statusSeen`. The constant below came with 2.16 (docs/decisions/0011).
 */
const IS_BELOW_2_16 = !('HIGHLIGHTED_SESSION_KEY' in n8nWorkflow);

const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);
const FAILURES = [...range(300, 403), ...range(405, 599)];

/** Of the last test. n8n does not run two of them at once, either. */
let statusSeen: number | undefined;

/** What n8n is to count as a failure: nothing, but it asks for each status, and so tells it. */
export function watchStatus(): Pick<IHttpRequestOptions, 'ignoreHttpStatusErrors'> {
	statusSeen = undefined;
	const includes = (status: number) => {
		statusSeen = status;
		return false;
	};
	return {
		ignoreHttpStatusErrors: { ignore: true, except: Object.assign([...FAILURES], { includes }) },
	};
}

/** n8n says this if a part of the body is exactly that. The first rule that fits counts. */
const bodyRule = (key: string, value: unknown, message: string) => ({
	type: 'responseSuccessBody',
	properties: { key, value, message },
});

const statusRules = (statuses: number[]) => {
	if (IS_BELOW_2_16) {
		return statuses.map((status) => bodyRule('statusCode', status, messageOf(status)));
	}
	const properties = {
		// A text has no such part.
		key: 'status',
		get value() {
			return statuses.includes(statusSeen ?? 0) ? undefined : 'another';
		},
		get message() {
			return messageOf(statusSeen ?? 0);
		},
	};
	return [{ type: 'responseSuccessBody', properties }];
};

function messageOf(status: number): string {
	if (status < 400) return `${NOT_THE_API.message}. ${NOT_THE_API.description}`;
	// Nothing but the token is tested, so a 403 is about it, too.
	const { message } = describeStatus(status === 403 ? 401 : status);
	if (status === 401 || status === 403) return message;
	return status === 429 || status >= 500
		? `${message}. Try again later.`
		: `${message} (${status})`;
}

const NOT_JSON = `${NOT_THE_API.message}. ${NOT_THE_API.description} If it's right, ask n8n's administrator about a proxy or firewall in between.`;

/** First characters of what is no JSON object. An empty response has none. */
const NOT_AN_OBJECT = [undefined, ...range(0, 126).map((code) => String.fromCharCode(code))].filter(
	(character) => character !== '{',
);

const contentRules = IS_BELOW_2_16
	? // The first letter of "text/html", and no letter at all where there is no content type.
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
		encoding: IS_BELOW_2_16 ? 'stream' : 'text',
	},
	rules: [
		...statusRules([...range(300, 399), 407, 429, ...range(500, 599)]),
		...contentRules,
		...statusRules(FAILURES),
	] as ICredentialTestRequest['rules'],
};
