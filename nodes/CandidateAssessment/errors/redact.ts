const HIDDEN = '•••';

/** Shorter details are parts of too many words, except where a character is a syllable. */
const MIN_LENGTH = 4;
const SYLLABLE = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u;

/** A longer value may be quoted in part: it's hidden from its beginning on, as far as it goes. */
const BEGINNING = 12;

/**
 * Hides values in a text: as they are, in lower and upper case, and escaped for JSON, HTML, or a URL.
 * @param secrets hidden at any length
 * @param details hidden from four characters on, or two of Chinese, Japanese or Korean
 */
export function redact(text: string, secrets: readonly string[], details: readonly string[] = []) {
	const trimmedDetails = details.map((detail) => detail.trim());
	const all = [
		...secrets.map((secret) => secret.trim()),
		...trimmedDetails.filter((detail) => detail.length >= MIN_LENGTH || SYLLABLE.test(detail)),
	]
		.filter(Boolean)
		.flatMap((value) => [value, value.toLowerCase(), value.toUpperCase()])
		.flatMap((value) => [value, unescaped(value)])
		.flatMap(spellingsOf);
	// What contains another value is hidden whole.
	const spellings = [...new Set(all)].sort((one, other) => other.length - one.length);
	const withoutValues = spellings.reduce(
		(redacted, spelling) => redacted.replaceAll(spelling, HIDDEN),
		unescaped(text),
	);
	return spellings.reduce(withoutParts, withoutValues);
}

/** Also where the text was cut off, of which even less may be left. */
function withoutParts(text: string, value: string): string {
	const beginning = value.slice(0, BEGINNING);
	let redacted = '';
	let from = 0;
	for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, from)) {
		redacted += text.slice(from, at) + HIDDEN;
		from = at + BEGINNING;
		while (from < text.length && text[from] === value[from - at]) from++;
	}
	redacted += text.slice(from);
	for (let length = Math.min(BEGINNING, value.length) - 1; length >= MIN_LENGTH; length--) {
		if (redacted.endsWith(value.slice(0, length))) return redacted.slice(0, -length) + HIDDEN;
	}
	return redacted;
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
