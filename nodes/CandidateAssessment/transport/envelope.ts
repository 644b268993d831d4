import { jsonParse, type IDataObject } from 'n8n-workflow';

/** Every path of the API begins with it. Specification, "Versioning". */
export const API_PATH = '/partner/v1.0';

interface Envelope {
	/** Undefined if there is none, or if it is not an object. */
	data?: IDataObject;
	/** The response names an error, whatever its status. An empty list of errors names none. */
	hasError: boolean;
}

/** Reads the envelope of a response. Specification, "What the service does". */
export function parseEnvelope(text: string): Envelope {
	const envelope = objectOrNone(jsonParse<unknown>(text, { fallbackValue: null }));
	const data = objectOrNone(envelope?.data);
	const hasError = [envelope, data].some(
		(part) => isPresent(part?.error) || isPresent(part?.errors),
	);
	return { data, hasError };
}

function isPresent(value: unknown): boolean {
	return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : !!value;
}

function objectOrNone(value: unknown): IDataObject | undefined {
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	return isObject ? (value as IDataObject) : undefined;
}
