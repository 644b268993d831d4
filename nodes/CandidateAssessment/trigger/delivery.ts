import type { IDataObject } from 'n8n-workflow';

/** Where a body may name its event; the specification does not show the payload ("Events"). */
const EVENT_KEYS = ['event', 'event_type', 'event_name', 'type'];

const NEVER_PASSED_ON = ['authorization', 'proxy-authorization', 'cookie'];

/** True for a body that names an event, and names another one than the trigger listens to. */
export function isOtherEvent(body: unknown, events: readonly string[]): boolean {
	if (typeof body !== 'object' || body === null) return false;
	const named = EVENT_KEYS.map((key) => (body as IDataObject)[key]).find(
		(name) => typeof name === 'string',
	);
	return named !== undefined && !events.includes(named as string);
}

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
