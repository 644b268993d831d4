/**
 * Finds UTF-8 that a program read as another encoding: "Müller" becomes "MÃ¼ller" in Windows-1252, and
 * "MĂĽller" in Windows-1250. What gives it away: written back in that code page, the bytes are valid UTF-8,
 * and they say something that a person would write. Real text hardly ever does, since UTF-8 allows few
 * sequences of bytes beyond ASCII.
 * @returns a part of what was misread, as it stands in the text
 */
export function misreadIn(text: string): string | undefined {
	const [lost] = /\ufffd|ï¿½/.exec(text) ?? [];
	if (lost) return lost;
	const [found] = NEIGHBORS.exec(text.replace(SEPARATORS, ' ')) ?? [];
	// In UTF-8, no byte beyond ASCII stands alone. Most texts end here.
	if (!found || LONER.test(text)) return undefined;
	return CODE_PAGES.some((page) => isPlausible(readingOf(text, page))) ? found : undefined;
}

const NEIGHBORS = /\P{ASCII}{2,3}/u;
const LONER = /(?<!\P{ASCII})\P{ASCII}(?!\P{ASCII})/u;

/** In capitals, PER Å BERG with a no-break space would also say ŠBERG, and MÄKELÄ–AHO with a dash MÄKELĖAHO. */
const SEPARATORS = /(?<!\p{Ll})(?:\p{Lu}\xa0|[ÄÅ]–)(?=\p{Lu}|\s*$)/gu;

/** Of Windows, a Mac, and DOS in Russian: the byte of each character beyond ASCII. */
const CODE_PAGES = [
	...['windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254'],
	...['windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'windows-874'],
	...['macintosh', 'x-mac-cyrillic', 'ibm866'],
].map((label) => {
	const bytes = Array.from({ length: 128 }, (_, index) => 0x80 + index);
	const characters = [...new TextDecoder(label).decode(Uint8Array.from(bytes))];
	return new Map(characters.map((character, index) => [character, bytes[index]]));
});

const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** What a text says as UTF-8, if it was read in this code page or, where that has no such character, in Latin-1. */
function readingOf(text: string, page: ReadonlyMap<string, number>): string {
	const bytes = Array.from(text, (character) => page.get(character) ?? character.charCodeAt(0));
	return bytes.every((byte) => byte <= 0xff) ? UTF_8.decode(Uint8Array.from(bytes)) : '';
}

/** Whether a person would write this: letters of one script, and common punctuation. */
function isPlausible(reading: string): boolean {
	const proof = reading.replace(RARE, '');
	return SCRIPTS.some((script) => script.test(proof)) && !IMPLAUSIBLE.test(proof);
}

/** Two capitals of other languages say each of them: SMÅØER isn't SMŨER. */
const RARE = /[ĊŊŎŨƯ]/g;

const SCRIPTS = [
	// Latin, with what Azerbaijani, Romanian and Vietnamese have beyond the first blocks.
	'\\u00a1-\\u017fƏəƠơƯưȘșȚț\\u1e00-\\u1eff',
	// Cyrillic, Greek, Georgian, Hebrew, and Arabic.
	...['\\u0400-\\u045fҐґ', '\\u0386-\\u03ce', '\\u10a0-\\u10ff'],
	...['\\u05d0-\\u05ea', '\\u0620-\\u0652\\u0670-\\u06d5\\u200c'],
	// Devanagari, Thai, Japanese and Chinese, and Korean.
	...['\\u0900-\\u097f', '\\u0e00-\\u0e7f', '\\u3040-\\u30ff\\u4e00-\\u9fff', '\\uac00-\\ud7a3'],
].map((letters) => new RegExp(`^[\\p{ASCII}\\xa0\\ufeff«»·\\u2010-\\u2026${letters}]+$`, 'u'));

/** What a real text would say: an accented small letter behind or between capitals, a word in two scripts, or a letter. */
const IMPLAUSIBLE =
	/\p{Lu}(?![a-z])\p{Ll}\p{Lu}|\p{Lu}{2}(?![a-z])\p{Ll}|[A-Za-z](?!\p{sc=Latin})[\p{L}\p{M}]|(?!\p{sc=Latin})[\p{L}\p{M}][A-Za-z]|[ªº]\p{L}|^(?:\p{ASCII}*|.)$/u;
