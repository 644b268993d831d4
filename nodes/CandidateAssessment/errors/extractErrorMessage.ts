import { jsonParse } from 'n8n-workflow';
import { inOneLine } from '../utils/inOneLine';

export const MAX_LENGTH = 500;

/** In characters. Reading more of a large page would block this n8n. */
const MAX_BODY_LENGTH = 20_000;

/** Keys whose text speaks for itself; any other key is named before its text. */
const ERROR_MESSAGE_KEYS = /^(|message|msg|errors?|details?|title)$/;

/**
 * The service's own words from an error's body, whatever its shape (the specification shows none):
 * an object with a message, a list of errors, errors nested or by field, plain text, a web page.
 * Empty if there are none; at most 500 characters.
 * @param redact hides secrets
 */
export function extractErrorMessage(body: string, redact: (words: string) => string): string {
	const beginning = beginningOf(body);
	const parsed = jsonParse<unknown>(beginning, { fallbackValue: fromPage(beginning) });
	const words = [...new Set(sentences(parsed, '', 0))].join('; ');
	return inOneLine(redact(words), MAX_LENGTH);
}

/** Cut text loses its last word, which may be an unrecognizable part of a secret. */
function beginningOf(body: string): string {
	if (body.length <= MAX_BODY_LENGTH) return body;
	const beginning = body.slice(0, MAX_BODY_LENGTH);
	return beginning.slice(0, Math.max(0, beginning.search(/\s\S*$/)));
}

function sentences(value: unknown, key: string, depth: number): string[] {
	if (typeof value === 'string' && value.trim() !== '') {
		return [ERROR_MESSAGE_KEYS.test(key) ? value : `${key}: ${value}`];
	}
	if (typeof value !== 'object' || value === null || depth > 5) return [];
	if (Array.isArray(value)) return value.flatMap((each) => sentences(each, key, depth + 1));
	// A secret's name has the secret, or a list of what is wrong with it, or below these, one sentence.
	const isAboutFields = /(errors?|details?)$/i.test(key);
	const told = Object.entries(value).filter(
		([name, entry]) =>
			!/secret/i.test(name) ||
			((isAboutFields || Array.isArray(entry)) && [entry].flat().every(isSentence)),
	);
	return told.flatMap(([name, entry]) => sentences(entry, name, depth + 1));
}

const isSentence = (entry: unknown) => typeof entry === 'string' && /\s/.test(entry.trim());

/** True for a web page; the API has none. */
export function isWebPage(body: string): boolean {
	const beginning = body.slice(0, MAX_BODY_LENGTH);
	return /^\s*</.test(beginning) && /<(!doctype|html|head|body|h1|title)\b/i.test(beginning);
}

/** A web page's title and text without markup. Plain text stays as it is. */
function fromPage(body: string): string {
	if (!isWebPage(body)) return body;
	return body.replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, ' ').replace(/<[^<>]*>/g, ' ');
}
