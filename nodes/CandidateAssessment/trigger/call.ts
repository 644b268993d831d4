import { jsonParse, type IDataObject, type IWebhookFunctions } from 'n8n-workflow';
import { webhookId } from '../actions/webhook/webhooks';
import type { NodeParameters } from '../parameters/NodeParameters';
import { string } from '../parameters/rules';
import { ifValid, registrationOf } from './properties';
import { currentSecretDigest, findSecretHeaders, getStaticData, isGenuine } from './secret';

const NEVER_PASSED_ON = ['authorization', 'proxy-authorization', 'cookie'];

/**
 * The headers of a call that carry the secret; undefined if it is not genuine. The remembered secret comes
 * first: it needs no look at the credential. With manual registration only the current one counts, so that
 * a leaked secret that was replaced lets nobody in. Never throws because of a parameter or the credential.
 */
export async function verifiedHeaders(context: IWebhookFunctions, params: NodeParameters) {
	const { rawHeaders } = context.getRequestObject();
	const onlyHeader = ifValid(() => params.optional('secretHeader', string()))?.trim();
	const verify = (digest: string | undefined) => {
		const headers = digest === undefined ? undefined : findSecretHeaders(rawHeaders, digest);
		return headers && isGenuine(headers, onlyHeader) ? headers : undefined;
	};

	const isManual = ifValid(() => registrationOf(params)) === 'manual';
	const remembered = isManual ? undefined : getStaticData(context).secretDigest;
	const id = isManual ? undefined : ifValid(() => webhookId(params));
	return verify(remembered) ?? verify(await currentSecretDigest(context, id));
}

/**
 * The delivered body. The specification says JSON and shows no content type for events: n8n leaves a body
 * unread whose type it does not know, and a text that is JSON counts as what it says ("Events").
 */
export async function readBody(context: IWebhookFunctions): Promise<unknown> {
	const parsed: unknown = context.getBodyData();
	if (parsed !== undefined) return parseBody(parsed);
	const request: N8nRequest = context.getRequestObject();
	await request.readRawBody?.();
	return parseBody(request.rawBody?.toString());
}

/** With what n8n adds to a request, and gives no type for. */
type N8nRequest = ReturnType<IWebhookFunctions['getRequestObject']> & {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
};

function parseBody(body: unknown): unknown {
	return typeof body === 'string' ? jsonParse(body, { fallbackValue: body }) : body;
}

/** The delivered body whole; one that is not an object comes as `{ body }`. */
export function toItem(body: unknown, headers?: IDataObject): IDataObject {
	const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
	const json = isObject ? (body as IDataObject) : { body: body as IDataObject };
	return headers ? { ...json, requestHeaders: headers } : json;
}

/**
 * The call's headers without those that carry the secret, in whatever form, or other credentials.
 * @param withSecret the headers that let the call in, and the secret in each
 */
export function forwardableHeaders(headers: IDataObject, withSecret: ReadonlyMap<string, string>) {
	const secrets = [...withSecret.values()];
	return Object.fromEntries(
		Object.entries(headers).filter(
			([name, value]) =>
				!NEVER_PASSED_ON.includes(name) &&
				!secrets.some((secret) => String(value).includes(secret)),
		),
	);
}
