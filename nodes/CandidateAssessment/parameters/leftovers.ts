/** What a mistake leaves in a text, and the words that follow "contains …": where it comes from, what to do. */
type Leftover = readonly [pattern: RegExp, words: string];

const MISREAD =
	'a letter that was read in the wrong encoding. Save the file as .xlsx, or as CSV UTF-8';
const MISSING = 'which an expression gives where a value is missing';

/**
 * What spreadsheets and exports leave. No real text may match, such as JOÃO, AT&T or a
 * Portuguese word before a dash or a quotation mark.
 */
export const IN_ANY_TEXT: readonly Leftover[] = [
	[/\ufffd/, MISREAD],
	// UTF-8 read as Windows-1252 or Latin-1: MÃ¼ller, WaÅ‚Ä™sa, Oâ€™Brien. A blank after Ã stands in real
	// names ("IRMÃ DULCE"), unless a small letter is before it.
	[
		/[ÂÄÅ]\u00a0|(?<=\p{Ll})Ã\u00a0|[ÂÃÄÅ][\u0080-\u009f\u00a1-\u00bf€‚ƒ„†‡ˆ‰ŠŒŽ•˜™šœžŸ]|Ã[‘“]|[ÃÄ][–…](?=\p{L})|â€/u,
		MISREAD,
	],
	[
		/&(?:#\d+|#x[\da-f]+|amp|lt|gt|quot|apos|nbsp|shy|eth|thorn|aring|(?:ae|oe|sz)lig|[a-z](?:uml|acute|grave|circ|tilde|cedil|slash|caron|dot|ogon)|[nm]dash|[lr][sd]quo|hellip);/i,
		'a character as HTML writes it. Replace it with the character itself',
	],
	// Also as other languages' spreadsheets write it: #BEZUG!, #¡REF!, #NV.
	[
		/#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!)|^\s*#(?:NV|N\/D|[¡¿]?\p{Lu}+[!?])\s*$/u,
		"a spreadsheet's error. Correct the formula",
	],
];

/**
 * What makes one reference out of many: `'APP-' + $json.id` gives "APP-undefined" for all candidates.
 * Random IDs may hold NaN.
 */
export const IN_REFERENCES: readonly Leftover[] = [
	[
		/undefined|\[object \w+\]|Invalid Date(?:Time)?|^NaN|NaN$|(?<![\p{L}\p{N}])NaN(?![\p{L}\p{N}])/u,
		MISSING,
	],
	[/\d\.\d{8,}e\+\d\d+/, 'a number that was rounded. Pass it as text'],
	[
		/(?<![\p{L}\p{N}+/])\d[.,]\d+E\+\d\d(?![\p{L}\p{N}])|^\dE\+\d\d$/u,
		'a number that a spreadsheet rounded. Format the column as text, and enter the IDs again',
	],
	[/^="/, 'the beginning of a formula. Enter what is between the quotation marks'],
];

export const NULL_IN_REFERENCES: Leftover = [/(?<![\p{L}\p{N}])null(?![\p{L}\p{N}])/u, MISSING];

/** Some people are called Null, and their address may be jennifer.null@example.com. */
export const NULL_IN_EMAILS: Leftover = [/^null(?=@)/, MISSING];

export const IN_NAMES: readonly Leftover[] = [
	[/(?<![\p{L}\p{N}])(?:undefined|NaN)(?![\p{L}\p{N}])|\[object Object\]/u, MISSING],
];

/** What is wrong with a text, if one of these is in it. */
export function leftoverIn(text: string, leftovers: readonly Leftover[]): string | undefined {
	for (const [pattern, words] of leftovers) {
		const [found] = pattern.exec(text) ?? [];
		if (found !== undefined) return `contains '${found.trim()}', ${words}`;
	}
	return undefined;
}
