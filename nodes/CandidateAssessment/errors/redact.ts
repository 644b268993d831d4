const HIDDEN = '•••';

/** Hides secrets in a text: as they are, in any case, and as JSON, HTML, and a URL write them. */
export function redact(text: string, secrets: readonly string[]): string {
	const patterns = secrets
		.map((secret) => secret.trim())
		.filter(Boolean)
		// Where one is part of another, the longer one counts.
		.sort((one, other) => other.length - one.length)
		.map((secret) => secret.replace(/\\+|[^a-z\d]/gi, anySpelling));
	return patterns.length === 0 ? text : text.replace(RegExp(patterns.join('|'), 'giu'), HIDDEN);
}

function anySpelling(sign: string): string {
	// However many: each alone, one or two would be tried in all combinations.
	if (sign.startsWith('\\')) return '(?<!\\\\)(?:\\\\u005c|%5c|&#0*92;|&#x0*5c;|&bsol;|\\\\)+';
	const code = sign.charCodeAt(0);
	const hex = code.toString(16);
	// A form writes a space as a plus sign.
	const literal = sign === ' ' ? '[ +]' : `\\u{${hex}}`;
	return `(?:\\\\u00${hex}|%${hex}|&#0*${code};|&#x0*${hex};|&[a-z]+;|\\\\?${literal})`;
}
