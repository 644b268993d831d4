const HIDDEN = '•••';

/** Shorter texts are hidden only where they stand alone: they are parts of too many words. */
const MIN_LENGTH_INSIDE_WORDS = 8;

/**
 * Hides the given texts in another one, in every spelling in which a service may echo them: as they
 * are, and escaped for JSON, a URL or HTML. Longest first, since one may be part of another.
 */
export function redact(confidential: readonly string[]): (text: string) => string {
	const spellings = new Set(
		confidential.flatMap((value) => [value, value.trim()].filter(Boolean).flatMap(spellingsOf)),
	);
	const patterns = [...spellings]
		.sort((one, other) => other.length - one.length)
		.map((spelling) => {
			const literal = spelling.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
			if (spelling.length >= MIN_LENGTH_INSIDE_WORDS) return new RegExp(literal, 'gi');
			return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu');
		});
	return (text) => patterns.reduce((clean, pattern) => clean.replace(pattern, HIDDEN), text);
}

function spellingsOf(value: string): string[] {
	// Half a surrogate pair cannot be percent-encoded.
	const wellFormed = value.replace(/\p{Surrogate}/gu, '\ufffd');
	const encoded = encodeURIComponent(wellFormed);
	const html = value.replace(/[&<>"']/g, (sign) => HTML_ENTITIES[sign]);
	return [
		value,
		JSON.stringify(value).slice(1, -1),
		// As some services write JSON: nothing but ASCII.
		JSON.stringify(value)
			.slice(1, -1)
			.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
		encoded,
		encoded.replaceAll('%20', '+'),
		new URLSearchParams({ '': wellFormed }).toString().slice(1),
		encodeURI(wellFormed),
		html,
		html.replaceAll('&#39;', '&#x27;'),
		html.replaceAll('&#39;', '&apos;'),
		html.replaceAll('&#39;', "'").replaceAll('&quot;', '"'),
	];
}

const HTML_ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};
