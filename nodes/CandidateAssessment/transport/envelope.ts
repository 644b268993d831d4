import { jsonParse, type IDataObject } from 'n8n-workflow';

/** Every path of the API begins with it. Specification, "Versioning". */
export const API_PATH = '/partner/v1.0';

/**
 * The envelope's `data`, if it is an object, and whether the response names an error, whatever its status.
 * An empty list of errors names none. Specification, "What the service does".
 */
export function parseEnvelope(text: string): { data?: IDataObject; hasError: boolean } {
	const envelope = objectOrNone(jsonParse<unknown>(text, { fallbackValue: null }));
	const data = objectOrNone(envelope?.data);
	const errors = [envelope?.error, envelope?.errors, data?.error, data?.errors];
	return { data, hasError: errors.some(isPresent) };
}

function isPresent(value: unknown): boolean {
	return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : !!value;
}

function objectOrNone(value: unknown): IDataObject | undefined {
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	return isObject ? (value as IDataObject) : undefined;
}
