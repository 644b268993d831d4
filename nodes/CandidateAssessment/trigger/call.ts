import { timingSafeEqual } from 'crypto';
import { jsonParse, type IDataObject, type IWebhookFunctions } from 'n8n-workflow';
import { fail, string, type Rule } from '../parameters/rules';
import { digestOf } from './secret';

/**
 * Headers that clients and proxies send on their own. If a webhook secret happens to be the value of one
 * ("application/json"), that must not let anyone in. `Authorization` can carry a secret.
 */
const HTTP_HEADERS =
	/^(accept|accept-(encoding|language)|connection|content-(length|type)|host|transfer-encoding|user-agent|x-forwarded-.*)$/i;

/** RFC 9110, 5.6.2. Under any other name no call could carry the secret. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const NEVER_PASSED_ON = ['authorization', 'proxy-authorization', 'cookie'];

/** The name of the only header to accept the secret in. */
export const secretHeader: Rule<string> = (value) => {
	const name = string()(value);
	if (!HEADER_NAME.test(name) || HTTP_HEADERS.test(name)) {
		fail(
			"this header can't be used for a secret. Enter one header, such as X-Webhook-Secret, or leave the field empty.",
		);
	}
	return name;
};

/**
 * Returns the headers of a genuine call that carry the secret, with the secret in each; undefined if the call
 * isn't genuine. The specification names neither the header nor a scheme ("Events"), so any header counts that
 * isn't one of HTTP's own, unless the user names one.
 * @param rawHeaders alternating names and values, as Node.js received them: a header sent twice is there twice
 * @param digest of the expected secret (`digestOf`); without one, no call is genuine
 * @param onlyHeader the name of the only header that makes a call genuine
 */
export function verifySecret(
	rawHeaders: readonly string[],
	digest: string | undefined,
	onlyHeader?: string,
): ReadonlyMap<string, string> | undefined {
	const secretHeaders = findSecretHeaders(rawHeaders, digest);
	const counts = (name: string) =>
		!HTTP_HEADERS.test(name) && (!onlyHeader || name === onlyHeader.toLowerCase());
	return [...secretHeaders.keys()].some(counts) ? secretHeaders : undefined;
}

/**
 * All headers that carry the secret, alone or after a scheme word ("Bearer …"), with the secret in each.
 * Digests are compared in constant time, so that the time it takes reveals nothing about the secret.
 */
function findSecretHeaders(rawHeaders: readonly string[], digest = ''): Map<string, string> {
	const expected = Buffer.from(digest, 'hex');
	const secretHeaders = new Map<string, string>();
	for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
		const whole = rawHeaders[index + 1].trim();
		for (const candidate of new Set([whole, whole.replace(/^\S+\s+/, '')])) {
			const given = Buffer.from(digestOf(candidate), 'hex');
			const matches = given.length === expected.length && timingSafeEqual(given, expected);
			if (matches) secretHeaders.set(rawHeaders[index].toLowerCase(), candidate);
		}
	}
	return secretHeaders;
}

/**
 * The delivered body. The specification says JSON, but shows no content type for events ("Events"). n8n
 * doesn't read a body of unknown type, so it's read here, and text that is JSON is parsed.
 */
export async function readBody(context: IWebhookFunctions): Promise<unknown> {
	let body: unknown = context.getBodyData();
	if (body === undefined) {
		const request: N8nRequest = context.getRequestObject();
		await request.readRawBody?.();
		body = request.rawBody && decode(request.rawBody, request.headers['content-type']);
	}
	return typeof body === 'string' ? jsonParse(body, { fallbackValue: body }) : body;
}

/** Text in the character set that its content type declares, or else in UTF-8. */
function decode(bytes: Uint8Array, contentType = ''): string {
	const [, label = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? [];
	try {
		return new TextDecoder(label).decode(bytes);
	} catch {
		// There is no such character set.
		return new TextDecoder().decode(bytes);
	}
}

/** n8n adds these to a request, without a type. */
export type N8nRequest = ReturnType<IWebhookFunctions['getRequestObject']> & {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
};

/** The whole body; one that isn't an object becomes `{ body }`. */
export function toItem(body: unknown, headers?: IDataObject): IDataObject {
	const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
	const json = isObject ? (body as IDataObject) : { body: body as IDataObject };
	return headers ? { ...json, requestHeaders: headers } : json;
}

/**
 * The call's headers without those that contain the secret, or other credentials.
 * @param secretHeaders all headers that carry the secret, and the secret in each
 */
export function forwardableHeaders(
	headers: IDataObject,
	secretHeaders: ReadonlyMap<string, string>,
) {
	const secrets = [...secretHeaders.values()];
	return Object.fromEntries(
		Object.entries(headers).filter(
			([name, value]) =>
				!NEVER_PASSED_ON.includes(name) &&
				!secrets.some((secret) => String(value).includes(secret)),
		),
	);
}
