import { jsonParse, type IDataObject } from 'n8n-workflow';

const NEVER_PASSED_ON = ['authorization', 'proxy-authorization', 'cookie'];

/**
 * The delivered body. The specification says JSON and shows no content type for events: a text that
 * is JSON counts as what it says ("Events").
 */
export function parseBody(body: unknown): unknown {
	return typeof body === 'string' ? jsonParse(body, { fallbackValue: body }) : body;
}

/** The delivered body whole; one that is not an object comes as `{ body }`. */
export function toItem(body: unknown, headers?: IDataObject): IDataObject {
	const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
	const json = isObject ? (body as IDataObject) : { body: body as IDataObject };
	return headers ? { ...json, requestHeaders: headers } : json;
}

/**
 * The call's headers without those that carry the secret, in whatever form, or somebody's login.
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
