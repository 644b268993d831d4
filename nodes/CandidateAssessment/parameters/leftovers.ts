/**
 * A trace of a data error, and the text after "contains …": its cause and the fix. No real text may match, such
 * as JOÃO or AT&T.
 */
type Leftover = readonly [pattern: RegExp, words: string];

const MISREAD: Leftover = [
	// UTF-8 read as Windows-1252 or Latin-1: MÃ¼ller, WaÅ‚Ä™sa. A no-break space must follow a small letter: CAUÃ may be
	// a word of its own. Common punctuation must be in a word: Ã–zdemir, but MÄKELÄ–VIRTANEN, and «BLÅ».
	/\ufffd|[ÂÃÄÅ][\u0080-\u009f\u00a1-\u00aa\u00ac-\u00ba\u00bc-\u00bf€‚ƒ„†‡ˆ‰Š‹ŒŽ•˜™š›œžŸ]|(?<=\p{Ll})[ÂÃÄÅ]\u00a0|[ÂÃÄÅ][«»](?=\p{L})|(?<!\p{Lu})[ÂÃÄÅ][«»]|Ã[‘“”–…](?=\p{L})|Ä[‘“”–…](?=\p{Ll})|â€/u,
	'a letter that was read in the wrong encoding. Save the file as .xlsx, or as CSV UTF-8',
];

const HTML: Leftover = [
	/&(?:#\d+|#x[\da-f]+|amp|lt|gt|quot|apos|nbsp|[a-z](?:uml|acute|grave|circ|tilde|cedil|slash|ring|caron)|(?:ae|oe|sz)lig|[nm]dash|[lr][sd]quo|hellip);/i,
	'a character as HTML writes it. Replace it with the character itself',
];

const SPREADSHEET_ERROR: Leftover = [
	/#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!)/,
	"a spreadsheet's error. Correct the formula",
];

const MISSING: Leftover = [
	/undefined|\[object \w+\]|Invalid Date(?:Time)?|^NaN|NaN$|(?<![\p{L}\p{N}])NaN(?![\p{L}\p{N}])/u,
	'which an expression gives where a value is missing',
];

const PLACEHOLDER: Leftover = [
	/__PLACEHOLDER_VALUE__/,
	'what stands for a value in a workflow that a model has built. Enter the value',
];

/** A CV may speak of spreadsheets and HTML, so the whole text must be what they leave. */
export const IN_FREE_TEXT: readonly Leftover[] = [
	MISREAD,
	PLACEHOLDER,
	...[HTML, SPREADSHEET_ERROR].map(([{ source, flags }, words]): Leftover => [
		new RegExp(`^\\s*${source}\\s*$`, flags),
		words,
	]),
];

export const IN_NAMES: readonly Leftover[] = [
	MISREAD,
	PLACEHOLDER,
	HTML,
	SPREADSHEET_ERROR,
	MISSING,
];

const IN_REFERENCES_AND_EMAILS: readonly Leftover[] = [
	...IN_NAMES,
	[/\d\.\d{8,}e\+\d\d+/, 'a number that was rounded. Pass it as text'],
	[
		/\b\d[.,]\d+E\+\d\d\b/,
		'a number that a spreadsheet rounded. Format the column as text, and enter the IDs again',
	],
	[/^="/, 'the beginning of a formula. Enter what is between the quotation marks'],
];

/** What makes one reference out of many: `'APP-' + $json.id` gives "APP-undefined" for all candidates. */
export const IN_REFERENCES: readonly Leftover[] = [
	...IN_REFERENCES_AND_EMAILS,
	[/(?<![\p{L}\p{N}])null(?![\p{L}\p{N}])/u, MISSING[1]],
];

/** Some people are called Null, and their address may be jennifer.null@example.com. */
export const IN_EMAILS: readonly Leftover[] = [
	...IN_REFERENCES_AND_EMAILS,
	[/^null(?=@)/, MISSING[1]],
];
