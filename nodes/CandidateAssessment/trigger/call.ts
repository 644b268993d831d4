import { timingSafeEqual } from 'crypto';
import { jsonParse, type IDataObject, type IWebhookFunctions } from 'n8n-workflow';
import { webhookId } from '../actions/webhook/webhooks';
import type { NodeParameters } from '../parameters/NodeParameters';
import { fail, string, type Rule } from '../parameters/rules';
import { readCredentials } from '../transport/credentials';
import { ifValid, registrationOf } from './properties';
import { digestOf, getStaticData, webhookSecret } from './secret';

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
			"that can't carry a secret. Enter the name of one header, such as X-Webhook-Secret, and none that every call has, or leave it empty.",
		);
	}
	return name;
};

/**
 * The headers of a call that carry the secret; undefined if the call isn't genuine. The remembered secret
 * comes first, since it doesn't need the credential. With manual registration only the current one counts,
 * so that a leaked secret lets nobody in once it's replaced. The specification names neither the header nor
 * a scheme ("Events"), so any header counts that isn't one of HTTP's own, unless the user names one. A
 * broken parameter or credential never makes it throw.
 */
export async function verifiedHeaders(context: IWebhookFunctions, params: NodeParameters) {
	const { rawHeaders } = context.getRequestObject();
	const onlyHeader = ifValid(() => params.optional('secretHeader', string()))?.toLowerCase();
	const verify = (digest: string | undefined) => {
		const headers = findSecretHeaders(rawHeaders, digest);
		const isGenuine = [...headers.keys()].some(
			(name) => !HTTP_HEADERS.test(name) && (!onlyHeader || name === onlyHeader),
		);
		return isGenuine ? headers : undefined;
	};

	const isManual = ifValid(() => registrationOf(params)) === 'manual';
	const remembered = isManual ? undefined : getStaticData(context).secretDigest;
	const id = isManual ? undefined : ifValid(() => webhookId(params));
	try {
		return (
			verify(remembered) ?? verify(digestOf(webhookSecret(await readCredentials(context), id)))
		);
	} catch (error) {
		context.logger.debug(`No current webhook secret: ${(error as Error).message}`);
		return undefined;
	}
}

/**
 * All headers that carry the secret, alone or after a scheme word ("Bearer …"), with the secret in each.
 * Digests are compared in constant time, so that the time it takes reveals nothing about the secret.
 * @param rawHeaders alternating names and values, as Node.js received them: a header sent twice is there twice
 * @param digest if left out, no header carries it
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
		body = request.rawBody?.toString();
	}
	return typeof body === 'string' ? jsonParse(body, { fallbackValue: body }) : body;
}

/** n8n adds these to a request, without a type. */
type N8nRequest = ReturnType<IWebhookFunctions['getRequestObject']> & {
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
