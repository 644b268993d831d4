const HIDDEN = '•••';

/** Shorter details are parts of too many words. */
const MIN_LENGTH = 4;

/** Services cut long texts off: whatever begins like one is hidden, as far as it goes. */
const MIN_BEGINNING = 20;

/**
 * Hides texts in another one: as they are and escaped for JSON or a URL, in upper or lower case.
 * No regular expression is made of them: one that is too long would quote them in its error.
 * @param secrets hidden at any length
 * @param details hidden from four characters on
 */
export function redact(text: string, secrets: readonly string[], details: readonly string[] = []) {
	const spellings = [...secrets, ...details.filter(({ length }) => length >= MIN_LENGTH)]
		.map((value) => value.trim())
		.filter(Boolean)
		// Some letters become several in another case: `ß`, `İ`.
		.flatMap((value) => [value, value.toLowerCase(), value.toUpperCase()])
		.flatMap(spellingsOf)
		.map(lowerCase);
	const inLowerCase = lowerCase(text);
	const found = [...new Set(spellings)].flatMap((spelling) => find(inLowerCase, spelling));
	let shown = '';
	let hiddenTo = 0;
	for (const [start, end] of found.sort(([one], [other]) => one - other)) {
		// One may be part of another.
		if (start >= hiddenTo) shown += text.slice(hiddenTo, start) + HIDDEN;
		hiddenTo = Math.max(hiddenTo, end);
	}
	return shown + text.slice(hiddenTo);
}

/** Where a spelling, or as much of its beginning as there is, starts and ends. */
function find(text: string, spelling: string): Array<[start: number, end: number]> {
	const found: Array<[number, number]> = [];
	const beginning = spelling.slice(0, MIN_BEGINNING);
	let start = text.indexOf(beginning);
	while (start >= 0) {
		let end = start + beginning.length;
		while (end - start < spelling.length && text[end] === spelling[end - start]) end++;
		found.push([start, end]);
		start = text.indexOf(beginning, end);
	}
	return found;
}

/** In lower case, every character where it was: only `İ` would become longer. */
function lowerCase(text: string): string {
	return text.replaceAll('İ', 'i').toLowerCase();
}

function spellingsOf(value: string): string[] {
	// Half a surrogate pair can't be percent-encoded.
	const encoded = encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'));
	return [value, JSON.stringify(value).slice(1, -1), encoded, encoded.replaceAll('%20', '+')];
}
