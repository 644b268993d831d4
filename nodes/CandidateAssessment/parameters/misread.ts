/**
 * Finds UTF-8 that a program read as another encoding: "Müller" becomes "MÃ¼ller" in Windows-1252, and "MĂĽller" in
 * Windows-1250. The proof: encoded in that code page again, the text is valid UTF-8 for something that a person would
 * write. Real text hardly ever is, since UTF-8 allows few sequences of bytes beyond ASCII.
 * @returns a misread part of the text
 */
export function misreadIn(whole: string): string | undefined {
	const [lost] = /\ufffd|ï¿½/.exec(whole) ?? [];
	if (lost) return lost;
	const text = whole.slice(0, BEGINNING);
	const [found] = NEIGHBORS.exec(text.replace(SEPARATORS, ' ')) ?? [];
	// In UTF-8, no byte beyond ASCII stands alone. Most texts end here.
	const loner = text.search(LONER);
	if (!found || (loner >= 0 && loner !== BEGINNING - 1)) return undefined;
	const start = String(NEIGHBORS.exec(text));
	const isMisread = (page: CodePage) =>
		/^[\xc2-\xf4][\x80-\xbf]/.test(inLatin1(start, page)) && isPlausible(readingOf(text, page));
	return CODE_PAGES.some(isMisread) ? found : undefined;
}

/** This many characters prove a text's encoding. The last may be half of a misread letter. */
const BEGINNING = 50_000;

const NEIGHBORS = /\P{ASCII}{2,3}/u;
const LONER = /(?<!\P{ASCII})\P{ASCII}(?!\P{ASCII})/u;

/** In capitals, PER Å BERG with a no-break space would also say ŠBERG, and MÄKELÄ–AHO with a dash MÄKELĖAHO. */
const SEPARATORS = /(?<!\p{Ll})(?:\p{Lu}\xa0|[ÄÅ]–)(?=\p{Lu}|\s*$)/gu;

/** Code pages: maps each non-ASCII character to the Latin-1 character with the same byte. */
const CODE_PAGES = [
	...['windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254'],
	...['windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'windows-874'],
	...['macintosh', 'x-mac-cyrillic', 'ibm866'],
].map((label) => {
	const bytes = Uint8Array.from({ length: 128 }, (_, index) => 0x80 + index);
	const characters = [...new TextDecoder(label).decode(bytes)];
	return new Map(characters.map((each, index) => [each, String.fromCharCode(bytes[index])]));
});

type CodePage = ReadonlyMap<string, string>;

/** Returns a text's bytes in this code page, as Latin-1. Characters that the code page lacks stay. */
function inLatin1(text: string, page: CodePage): string {
	return text.replace(/\P{ASCII}/gu, (character) => page.get(character) ?? character);
}

/** Decodes a text's bytes as UTF-8. Empty if a character isn't a byte. */
function readingOf(text: string, page: CodePage): string {
	const bytes = inLatin1(text, page);
	if (/[\u0100-\uffff]/.test(bytes)) return '';
	const reading = Buffer.from(bytes, 'latin1').toString();
	return text.length < BEGINNING ? reading : reading.slice(0, -1);
}

/** Whether a person would write this: letters of one script, and common punctuation. */
function isPlausible(reading: string): boolean {
	const proof = reading.replace(RARE, '');
	return ONE_SCRIPT.test(proof.replace(COMMON, '')) && !IMPLAUSIBLE.test(proof);
}

/** Letters that two capitals of another language also decode to (SMÅØER → SMŨER): no proof. */
const RARE = /[ĊŊŎŨƯ]/g;

const COMMON = /[\p{ASCII}\xa0\ufeff«»·\u2010-\u2026]+/gu;

/** Latin, with the letters of Azerbaijani, Romanian and Vietnamese; then each other script on its own. */
const ONE_SCRIPT =
	/^(?:[\u00a1-\u017fƏəƠơƯưȘșȚț\u1e00-\u1eff]*|[\u0400-\u045fҐґ]*|[\u0386-\u03ce]*|[\u10a0-\u10ff]*|[\u05d0-\u05ea]*|[\u0620-\u0652\u0670-\u06d5\u200c]*|[\u0900-\u097f]*|[\u0e00-\u0e7f]*|[\u3040-\u30ff\u4e00-\u9fff]*|[\uac00-\ud7a3]*)$/u;

/**
 * Real texts would decode to these: an accented small letter between or behind capitals (LÅÆK → LůK, KAÅÆ → KAů), a word
 * in two scripts (MATÚŠ → MATڊ, ÚŠU → ڊU), a small ª before a letter (BÂŞTA → BªTA), or one letter (ÅÆ → ů).
 */
const IMPLAUSIBLE =
	/\p{Lu}(?![a-z])\p{Ll}\p{Lu}|\p{Lu}{2}(?![a-z])\p{Ll}|[A-Za-z](?!\p{sc=Latin})[\p{L}\p{M}]|(?!\p{sc=Latin})[\p{L}\p{M}][A-Za-z]|[ªº]\p{L}|^(?:\p{ASCII}*|.)$/u;
