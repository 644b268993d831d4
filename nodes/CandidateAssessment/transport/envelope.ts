import { jsonParse, type IDataObject } from 'n8n-workflow';

/** Every path of the API begins with it. Specification, "Versioning". */
export const API_PATH = '/partner/v1.0';

/**
 * Returns the envelope's `data`, if it is an object, and whether the response calls itself a failure, whatever its HTTP
 * status: it names an error, denies success, or has a status of "error". An empty list of errors names none.
 * Specification, "What the service does".
 */
export function parseEnvelope(text: string): { data?: IDataObject; hasError: boolean } {
	const envelope = objectOrNone(jsonParse<unknown>(text, { fallbackValue: null }));
	const data = objectOrNone(envelope?.data);
	const parts = [...Object.entries(envelope ?? {}), ...Object.entries(data ?? {})];
	return { data, hasError: parts.some(([key, value]) => isFailure(key, value)) };
}

function isFailure(key: string, value: unknown): boolean {
	if (/^errors?$/i.test(key)) return isPresent(value);
	if (/^(is_?)?(ok|success(ful)?|succeeded)$/i.test(key))
		return value === false || value === 'false';
	return /^(status|result)$/i.test(key) && /^(error|fail|failed|failure)$/i.test(String(value));
}

function isPresent(value: unknown): boolean {
	return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : !!value;
}

function objectOrNone(value: unknown): IDataObject | undefined {
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	return isObject ? (value as IDataObject) : undefined;
}
