const HIDDEN = '•••';

/** Shorter details are parts of too many words. */
const MIN_LENGTH = 4;

/**
 * Hides values in a text: as they are, in lower and upper case, and escaped for JSON, HTML, or a URL.
 * @param secrets hidden at any length
 * @param details hidden from four characters on
 */
export function redact(text: string, secrets: readonly string[], details: readonly string[] = []) {
	return (
		[...secrets, ...details.filter(({ length }) => length >= MIN_LENGTH)]
			.map((value) => value.trim())
			.filter(Boolean)
			.flatMap((value) => [value, value.toLowerCase(), value.toUpperCase()])
			.flatMap((value) => [value, unescaped(value)])
			.flatMap(spellingsOf)
			// What contains another value is hidden whole.
			.sort((one, other) => other.length - one.length)
			.reduce(
				(redacted, spelling) => withoutBeginning(redacted.replaceAll(spelling, HIDDEN), spelling),
				unescaped(text),
			)
	);
}

/** Hides the beginning of a value at the end of a text that was cut off there. */
function withoutBeginning(text: string, value: string): string {
	const start = value.slice(0, MIN_LENGTH);
	let at = text.indexOf(start, text.length - value.length);
	while (at >= 0) {
		if (value.startsWith(text.slice(at))) return text.slice(0, at) + HIDDEN;
		at = text.indexOf(start, at + 1);
	}
	return text;
}

const ENTITIES = new Map(Object.entries({ lt: '<', gt: '>', quot: '"', apos: "'" }));

/** The text without what JSON ("\u00fc", "\/") and HTML ("&#252;", "&quot;") write in place of a character. */
function unescaped(text: string): string {
	return text
		.replace(/\\+u([\da-f]{4})/gi, (_escape, code: string) =>
			String.fromCharCode(parseInt(code, 16)),
		)
		.replace(/\\+\//g, '/')
		.replace(/&(?:amp;)+/g, '&')
		.replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (_entity, hex: string, decimal: string) =>
			String.fromCodePoint(Math.min(hex ? parseInt(hex, 16) : Number(decimal), 0x10ffff)),
		)
		.replace(/&(\w+);/g, (entity, name: string) => ENTITIES.get(name) ?? entity);
}

function spellingsOf(value: string): string[] {
	const asJson = JSON.stringify(value).slice(1, -1);
	const asForm = new URLSearchParams({ value }).toString().slice('value='.length);
	// Half a surrogate pair can't be percent-encoded.
	const encoded = encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'));
	const inUrls = [encoded, asForm, asForm.replaceAll('+', '%20')];
	const inLowerHex = inUrls.map((url) => url.replace(/%../g, (escape) => escape.toLowerCase()));
	return [value, asJson, ...inUrls, ...inLowerHex];
}
