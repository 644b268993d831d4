const MAX_LENGTH = 500;

/** Keys whose text speaks for itself; any other key is named before its text. */
const ERROR_MESSAGE_KEYS = new Set([
	'',
	'message',
	'msg',
	'error',
	'errors',
	'detail',
	'details',
	'title',
]);

/**
 * The service's own words from an error's body, whatever its shape (the specification shows none):
 * an object with a message, a list of errors, errors nested or by field, plain text, a web page.
 * Empty where it said nothing; at most 500 characters.
 * @param clean takes out what must not be seen, while it still is in one piece
 */
export function extractErrorMessage(body: string, clean = (words: string) => words): string {
	const words = clean(fromJson(body) ?? fromPage(body))
		.replace(/\s+/g, ' ')
		.trim();
	if (words.length <= MAX_LENGTH) return words;
	// A character of two code units is not cut in half.
	return `${words.slice(0, MAX_LENGTH).replace(/\p{Surrogate}$/u, '')}…`;
}

function fromJson(body: string): string | undefined {
	try {
		return [...new Set(sentences(JSON.parse(body), '', 0))].join('; ');
	} catch {
		return undefined;
	}
}

function sentences(value: unknown, key: string, depth: number): string[] {
	if (typeof value === 'string' && value.trim() !== '') {
		return [ERROR_MESSAGE_KEYS.has(key) ? value : `${key}: ${value}`];
	}
	if (typeof value !== 'object' || value === null || depth > 5) return [];
	// The entries of a list are about what the list is about.
	const entries = Array.isArray(value)
		? value.map((entry): [string, unknown] => [key, entry])
		: Object.entries(value);
	return entries.flatMap(([name, entry]) => sentences(entry, name, depth + 1));
}

/** A web page's title and text without its markup; plain text has none. */
function fromPage(body: string): string {
	if (!/<(!doctype|html|head|body|h1|title)\b/i.test(body)) return body;
	// Neither pattern looks at one place twice: a huge broken page must not hold n8n up.
	return body.replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, ' ').replace(/<[^<>]*>/g, ' ');
}
