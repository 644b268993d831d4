const HIDDEN = '•••';

/** Shorter details are parts of too many words. */
const MIN_LENGTH = 4;

/**
 * Hides texts in another one: as they are and escaped for JSON or a URL, in any case.
 * No regular expression is made of them: one that is too long would quote them in its error.
 * @param secrets hidden at any length
 * @param details hidden from four characters on
 */
export function redact(text: string, secrets: readonly string[], details: readonly string[] = []) {
	const inLowerCase = lowerCase(text);
	return (
		[...secrets, ...details.filter(({ length }) => length >= MIN_LENGTH)]
			.map((value) => value.trim())
			.filter(Boolean)
			// Some letters become several in another case: `ß`, `İ`.
			.flatMap((value) => [value, value.toLowerCase(), value.toUpperCase()])
			.flatMap(spellingsOf)
			.map(lowerCase)
			.filter((spelling) => inLowerCase.includes(spelling))
			.sort((one, other) => other.length - one.length)
			.reduce(hide, text)
	);
}

function hide(text: string, hidden: string): string {
	const inLowerCase = lowerCase(text);
	let shown = '';
	let end = 0;
	let start = inLowerCase.indexOf(hidden);
	while (start >= 0) {
		shown += text.slice(end, start) + HIDDEN;
		end = start + hidden.length;
		start = inLowerCase.indexOf(hidden, end);
	}
	return shown + text.slice(end);
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
