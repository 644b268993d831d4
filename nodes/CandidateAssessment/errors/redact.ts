const HIDDEN = '•••';

/** Hides secrets in a text: as they are, in any case, and as JSON, HTML, and a URL write them. */
export function redact(text: string, secrets: readonly string[]): string {
	const patterns = secrets
		.map((secret) => secret.trim())
		.filter(Boolean)
		// Longer secrets first: they may contain others.
		.sort((one, other) => other.length - one.length)
		.flatMap((secret) =>
			SPELLINGS.map((spell) => secret.replace(/[^a-z\d]/gi, (sign) => `(?:${spell(sign)})`)),
		);
	return patterns.length === 0 ? text : text.replace(RegExp(patterns.join('|'), 'giu'), HIDDEN);
}

const hex = (sign: string) => sign.charCodeAt(0).toString(16);
const literal = (sign: string) => `\\u{${hex(sign)}}`;

/** Patterns per character. Alternatives must not overlap, or the regex backtracks exponentially. */
const SPELLINGS: ReadonlyArray<(sign: string) => string> = [
	(sign) => `\\\\u00${hex(sign)}|\\\\${sign === '\\' ? '' : '?'}${literal(sign)}`,
	// A form writes a space as a plus sign.
	(sign) => `%${hex(sign)}${sign === '%' ? '' : sign === ' ' ? '|[ +]' : `|${literal(sign)}`}`,
	(sign) => {
		const code = `&#0*${sign.charCodeAt(0)};|&#x0*${hex(sign)};|&[a-z]+;`;
		return sign === '&' ? code : `${code}|${literal(sign)}`;
	},
	literal,
];
