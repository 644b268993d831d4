import type { IDataObject } from 'n8n-workflow';

const NEVER_PASSED_ON = ['authorization', 'proxy-authorization', 'cookie'];

/**
 * The delivered body. The specification says JSON and shows no content type for events: a text that
 * is JSON counts as what it says ("Events").
 */
export function parseBody(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	try {
		return JSON.parse(body) as unknown;
	} catch {
		return body;
	}
}

/** The delivered body whole; one that is not an object comes as `{ body }`. */
export function toItem(body: unknown, headers?: IDataObject): IDataObject {
	const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
	const json = isObject ? (body as IDataObject) : { body: body as IDataObject };
	return headers ? { ...json, requestHeaders: headers } : json;
}

/** The call's headers without those that carry the secret or somebody's login. */
export function forwardableHeaders(
	headers: IDataObject,
	withSecret: ReadonlySet<string>,
): IDataObject {
	return Object.fromEntries(
		Object.entries(headers).filter(
			([name]) => !withSecret.has(name) && !NEVER_PASSED_ON.includes(name),
		),
	);
}
