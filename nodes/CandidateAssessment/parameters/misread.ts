/**
 * Finds UTF-8 that a program read as another encoding: "Müller" becomes "MÃ¼ller" in Windows-1252, and
 * "MĂĽller" in Windows-1250. What gives it away: written back in that code page, the bytes are valid UTF-8,
 * and they say something that a person would write. Real text hardly ever does, since UTF-8 allows few
 * sequences of bytes beyond ASCII.
 * @returns a part of what was misread, as it stands in the text
 */
export function misreadIn(text: string): string | undefined {
	if (text.includes('\ufffd')) return '\ufffd';
	// In UTF-8, no byte beyond ASCII stands alone. Most texts end here.
	if (!NEIGHBORS.test(text) || LONER.test(text)) return undefined;
	const isMisread = CODE_PAGES.some((page) => {
		const reading = readingOf(text, page);
		if (reading === undefined) return false;
		// By itself, a letter that none of the code page's languages has proves nothing.
		const others = reading.replace(page.foreign, '');
		if (others !== reading && !/\P{ASCII}/u.test(others)) return false;
		// Some files were misread twice.
		return isPlausible(reading) || misreadIn(reading) !== undefined;
	});
	// A sign that was meant to separate words proves nothing.
	return isMisread ? NEIGHBORS.exec(text.replace(SEPARATORS, ' '))?.[0] : undefined;
}

const NEIGHBORS = /\P{ASCII}{2,3}/u;
const LONER = /(?<!\P{ASCII})\P{ASCII}(?!\P{ASCII})/u;

/** In capitals, PER Å BERG with a no-break space would also say ŠBERG, and MÄKELÄ–AHO with a dash MÄKELĖAHO. */
const SEPARATORS = /(?<!\p{Ll})(?:\p{Lu}\u00a0|[ÄÅ]–)(?=\p{Lu}|\s*$)/gu;

interface CodePage {
	/** The byte of each character beyond ASCII. */
	bytes: ReadonlyMap<string, number>;
	/** What none of its languages has, though two of its capitals would say it: SMÅØER isn't SMŨER. */
	foreign: RegExp;
}

const NONE = /(?!)/;

const CODE_PAGES: readonly CodePage[] = [
	{ bytes: windows1252(), foreign: /[ĊŊŎ]/g },
	codePage('windows-1250', /[ĊŊŎƯ]/g),
	codePage('windows-1254', /[ĊŊŎ]/g),
	codePage('windows-1257', /Ũ/g),
	...['1251', '1253', '1255', '1256', '1258'].map((number) => codePage(`windows-${number}`)),
	// A Mac's, and DOS's in Russian.
	codePage('macintosh'),
	codePage('ibm866'),
];

function codePage(label: string, foreign = NONE): CodePage {
	const bytes = Uint8Array.from({ length: 128 }, (_, index) => 0x80 + index);
	return { bytes: bytesOf([...new TextDecoder(label).decode(bytes)]), foreign };
}

function bytesOf(characters: readonly string[]): CodePage['bytes'] {
	return new Map(characters.map((character, index) => [character, 0x80 + index]));
}

/** With Latin-1, which has control characters in place of the first 32. Node.js 20 decodes one as the other. */
function windows1252(): CodePage['bytes'] {
	const latin1 = Array.from({ length: 128 }, (_, index) => String.fromCharCode(0x80 + index));
	const own = [...'€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'];
	return new Map([...bytesOf(latin1), ...bytesOf(own)]);
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** What a text says as UTF-8, if it was read in this code page. */
function readingOf(text: string, page: CodePage): string | undefined {
	const bytes = new Uint8Array(text.length);
	let expected = 0;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		const byte = code < 0x80 ? code : page.bytes.get(text[index]);
		if (byte === undefined) return undefined;
		// The decoder would notice, too, but its exceptions are slow.
		const isContinuation = byte >= 0x80 && byte < 0xc0;
		if (isContinuation !== expected > 0) return undefined;
		expected = isContinuation ? expected - 1 : continuationsOf(byte);
		bytes[index] = byte;
	}
	try {
		return UTF_8.decode(bytes);
	} catch {
		return undefined;
	}
}

/** How many bytes of a character follow its first one. */
function continuationsOf(first: number): number {
	if (first < 0xc0) return 0;
	if (first < 0xe0) return 1;
	return first < 0xf0 ? 2 : 3;
}

/** Whether a person would write this: beyond ASCII, letters of one script, and common punctuation. */
function isPlausible(reading: string): boolean {
	return SCRIPTS.some((script) => script.test(reading)) && !IMPLAUSIBLE.test(reading);
}

const SCRIPTS = [
	// Latin, with what Azerbaijani, Romanian and Vietnamese have beyond the first blocks.
	'\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u017fƏəƠơƯưȘșȚț\\u1e00-\\u1eff',
	// Cyrillic, Greek, Hebrew, and Arabic.
	'\\u0400-\\u045fҐґ',
	'\\u0386\\u0388-\\u03ce',
	'\\u05d0-\\u05ea',
	'\\u0620-\\u0652\\u0670-\\u06d5\\u200c',
].map((letters) => new RegExp(`^[\\p{ASCII}\\xa0«»·\\u2010-\\u2026${letters}]*$`, 'u'));

/** What a real text would read as: an accented small letter behind or between capitals, a word in two scripts, or a single letter. */
const IMPLAUSIBLE =
	/\p{Lu}(?![a-z])\p{Ll}\p{Lu}|\p{Lu}{2}(?![a-z])\p{Ll}|[A-Za-z][\u0386-\u06d5]|[\u0386-\u06d5][A-Za-z]|^.$/u;
