const HIDDEN = '•••';

/** Shorter texts are hidden only where they stand alone: they are parts of too many words. */
const MIN_LENGTH_INSIDE_WORDS = 8;

/** Services cut long texts off: whatever begins like one is hidden, as far as it goes. */
const MIN_BEGINNING = 20;

/** Even shorter ones are found only in their own case: "An" is a name, "an" is none. */
const MIN_LENGTH_IN_ANY_CASE = 3;

/**
 * Hides the given texts in another one, in every spelling in which a service may echo them: as they
 * are, in another case, and escaped for JSON, a URL or HTML. All of them are compared in one form: without
 * HTML entities, composed (NFC). Searches without regular expressions made of them: a long one is refused
 * by an error that quotes it.
 * @returns hides them in a text, and gives it in that form
 */
export function redact(confidential: readonly string[]): (text: string) => string {
	const spellings = new Set(
		confidential
			.filter((value) => value.trim() !== '')
			.flatMap((value) => [value, value.trim(), ...otherCasesOf(value)])
			.flatMap(spellingsOf)
			// A service may have escaped what looks like an entity, or not.
			.flatMap((spelling) => [spelling, decodeEntities(spelling)])
			.map((spelling) => spelling.normalize('NFC'))
			.map((spelling) => (isInAnyCase(spelling) ? ignoreCase(spelling) : spelling)),
	);
	return (escaped) => {
		const text = decodeEntities(escaped).normalize('NFC');
		const lowerCase = ignoreCase(text);
		const spans = [...spellings].flatMap((spelling) => {
			const found = find(isInAnyCase(spelling) ? lowerCase : text, spelling);
			if (spelling.length >= MIN_LENGTH_INSIDE_WORDS) return found;
			return found.filter((span) => !span.some((end) => isInsideWord(text, end)));
		});
		return hide(text, spans);
	};
}

function isInAnyCase({ length }: string): boolean {
	return length >= MIN_LENGTH_IN_ANY_CASE;
}

/** Some letters become several in another case: `ß`, `İ`. */
function otherCasesOf(value: string): string[] {
	return isInAnyCase(value) ? [value.toUpperCase(), value.toLowerCase()] : [];
}

/** Start and end in a text. */
type Span = [start: number, end: number];

function hide(text: string, spans: Span[]): string {
	const shown: string[] = [];
	let shownTo = 0;
	for (const [start, end] of spans.sort(([one], [other]) => one - other)) {
		// One may be part of another, or overlap it.
		if (start >= shownTo) shown.push(text.slice(shownTo, start), HIDDEN);
		// A character of two code units is not cut in half.
		const isCut = text.codePointAt(end - 1)! > 0xffff;
		shownTo = Math.max(shownTo, isCut ? end + 1 : end);
	}
	return [...shown, text.slice(shownTo)].join('');
}

/** In lower case, every character where it was: only `İ` would become longer, and `Σ` depends on what follows. */
function ignoreCase(text: string): string {
	return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
}

/**
 * Finds a spelling, or as much of its beginning as there is, in a text. As Knuth, Morris and Pratt do it:
 * in linear time, however often either repeats itself.
 */
function find(text: string, spelling: string): Span[] {
	const least = Math.min(spelling.length, MIN_BEGINNING);
	const beginning = spelling.slice(0, least);
	const spans: Span[] = [];
	let borders: Int32Array | undefined;
	for (let start = text.indexOf(beginning); start >= 0; start = text.indexOf(beginning, start)) {
		borders ??= bordersOf(spelling);
		let end = start + least;
		let matched = least;
		while (matched >= least) {
			while (matched < spelling.length && text[end] === spelling[matched]) {
				matched++;
				end++;
			}
			matched = borders[matched];
		}
		spans.push([start, end]);
		start = end - matched;
	}
	return spans;
}

/** For each length of a text's beginning, how long an end of that beginning the text begins with too. */
function bordersOf(text: string): Int32Array {
	const borders = new Int32Array(text.length + 1);
	for (let end = 1, matched = 0; end < text.length; end++) {
		while (matched > 0 && text[end] !== text[matched]) matched = borders[matched];
		if (text[end] === text[matched]) matched++;
		borders[end + 1] = matched;
	}
	return borders;
}

/** A letter or number of a script that leaves blanks between words. */
const LETTER = String.raw`(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}])[\p{L}\p{N}]`;

const INSIDE_WORD = new RegExp(`(?<=${LETTER})(?=${LETTER})`, 'uy');

function isInsideWord(text: string, position: number): boolean {
	INSIDE_WORD.lastIndex = position;
	return INSIDE_WORD.test(text);
}

function spellingsOf(value: string): string[] {
	// Half a surrogate pair cannot be percent-encoded.
	const wellFormed = value.replace(/\p{Surrogate}/gu, '\ufffd');
	const encoded = encodeURIComponent(wellFormed);
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
	];
}

/** Numeric entities, and the named ones of HTML's own signs and of Latin-1. */
function decodeEntities(text: string): string {
	return text.replace(
		/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi,
		(entity, decimal, hex, name) => {
			const code = name ? ENTITIES.get(name) : parseInt(decimal ?? hex, decimal ? 10 : 16);
			const isCharacter =
				code !== undefined && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
			return isCharacter ? String.fromCodePoint(code) : entity;
		},
	);
}

/** From U+00A0 on. */
const LATIN_1 =
	'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const ENTITIES: ReadonlyMap<string, number> = new Map([
	['amp', 0x26],
	['lt', 0x3c],
	['gt', 0x3e],
	['quot', 0x22],
	['apos', 0x27],
	...LATIN_1.split(' ').map((name, index): [string, number] => [name, 0xa0 + index]),
]);
