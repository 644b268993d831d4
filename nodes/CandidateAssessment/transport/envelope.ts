import { jsonParse, type IDataObject } from 'n8n-workflow';

/** Every path of the API begins with it. Specification, "Versioning". */
export const API_PATH = '/partner/v1.0';

/**
 * The `data` of the envelope; undefined if there is none, or if it is not an object.
 * Specification, "What the service does".
 */
export function unwrapEnvelope(body: string): IDataObject | undefined {
	const { data } = parseObject(body);
	return isObject(data) ? data : undefined;
}

/** True for an answer that names an error, whatever its status says. An empty list of errors names none. */
export function hasError(body: string): boolean {
	const envelope = parseObject(body);
	return [envelope, envelope.data].some(
		(part) => isObject(part) && (isPresent(part.error) || isPresent(part.errors)),
	);
}

function isPresent(value: unknown): boolean {
	return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : !!value;
}

function parseObject(body: string): IDataObject {
	const parsed = jsonParse<unknown>(body, { fallbackValue: {} });
	return isObject(parsed) ? parsed : {};
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
