const HIDDEN = '•••';

/** Shorter texts are hidden only where they stand alone: they are parts of too many words. */
const MIN_LENGTH_INSIDE_WORDS = 8;

/** Services cut long texts off: whatever begins like one is hidden, as far as it goes. */
const MIN_BEGINNING = 20;

/**
 * Hides the given texts in another one, in every spelling in which a service may echo them: as they
 * are, and escaped for JSON, a URL or HTML. Searches without regular expressions made of them: a long
 * one is refused by an error that quotes it.
 */
export function redact(confidential: readonly string[]): (text: string) => string {
	const spellings = new Set(
		confidential.flatMap((value) => [value, value.trim()].filter(Boolean).flatMap(spellingsOf)),
	);
	return (text) => {
		const inAnyCase = ignoreCase(text);
		const spans = [...spellings].flatMap((spelling) =>
			spelling.length < MIN_LENGTH_INSIDE_WORDS
				? find(text, spelling).filter((span) => !span.some((end) => isInsideWord(text, end)))
				: find(inAnyCase, ignoreCase(spelling)),
		);
		return hide(text, spans);
	};
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

const INSIDE_WORD = /(?<=[\p{L}\p{N}])(?=[\p{L}\p{N}])/uy;

function isInsideWord(text: string, position: number): boolean {
	INSIDE_WORD.lastIndex = position;
	return INSIDE_WORD.test(text);
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
