const HIDDEN = '•••';

/** Shorter details are parts of too many words. */
const MIN_LENGTH = 4;

/**
 * Hides values in a text: as they are, in lower and upper case, and escaped for JSON or a URL.
 * @param secrets hidden at any length
 * @param details hidden from four characters on
 */
export function redact(text: string, secrets: readonly string[], details: readonly string[] = []) {
	return (
		[...secrets, ...details.filter(({ length }) => length >= MIN_LENGTH)]
			.map((value) => value.trim())
			.filter(Boolean)
			.flatMap((value) => [value, value.toLowerCase(), value.toUpperCase()])
			.flatMap(spellingsOf)
			// What contains another value is hidden whole.
			.sort((one, other) => other.length - one.length)
			.reduce((redacted, spelling) => redacted.replaceAll(spelling, HIDDEN), text)
	);
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
