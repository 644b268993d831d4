const HIDDEN = '•••';
const MAX_LENGTH = 2_000;

/** Hides secrets in a text: as they are, in any case, and as JSON, HTML, and a URL write them. */
export function redact(text: string, secrets: readonly string[]): string {
	const patterns = secrets
		.map((secret) => secret.trim())
		.filter(Boolean)
		// Longer secrets first: they may contain others.
		.sort((one, other) => other.length - one.length)
		.flatMap((secret) => SPELLINGS.map((spell) => patternOf(secret, spell)));
	return patterns.length === 0 ? text : text.replace(RegExp(patterns.join('|'), 'giu'), HIDDEN);
}

/** Returns a pattern for a secret. If that is too long for a regex, it has the beginning, and takes all that follows. */
function patternOf(secret: string, spell: (character: string) => string): string {
	const beginning = secret.slice(0, MAX_LENGTH);
	const pattern = beginning.replace(/[^a-z\d]/gi, (character) => `(?:${spell(character)})`);
	return secret === beginning ? pattern : `${pattern}[^]*`;
}

const hex = (character: string) => character.charCodeAt(0).toString(16);
const literal = (character: string) => `\\u{${hex(character)}}`;

/** Patterns per character. Alternatives must not overlap, or the regex backtracks exponentially. */
const SPELLINGS: ReadonlyArray<(character: string) => string> = [
	(character) =>
		`\\\\u00${hex(character)}|\\\\${character === '\\' ? '' : '?'}${literal(character)}`,
	// A form writes a space as a plus sign.
	(character) =>
		`%${hex(character)}${character === '%' ? '' : character === ' ' ? '|[ +]' : `|${literal(character)}`}`,
	(character) => {
		const code = `&#0*${character.charCodeAt(0)};|&#x0*${hex(character)};|&[a-z]+;`;
		return character === '&' ? code : `${code}|${literal(character)}`;
	},
	literal,
];
