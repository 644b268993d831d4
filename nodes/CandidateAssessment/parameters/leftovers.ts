import { misreadIn } from './misread';

/** A trace that a data error leaves in a text. Each row is here because the error would hurt somebody. */
export interface Leftover {
	/** Returns the part of a text that proves the error. No real text may have one. */
	find: (text: string) => string | undefined;
	/** Follows "contains …, " in the message: where the part comes from, and what to do. */
	words: string;
}

const row = (pattern: RegExp, words: string): Leftover => ({
	find: (text) => pattern.exec(text.trim())?.[0],
	words,
});

const CODE = 'code. Replace it with the character it stands for';

const GARBLED: Leftover = {
	find: misreadIn,
	words: 'garbled text. Save the file as .xlsx or CSV UTF-8, and read it again',
};

/** A placeholder typed as fixed text, from a mail merge, or left by n8n or an AI. Everybody would get it. */
const NOT_FILLED_IN =
	"which was not filled in. If it is an expression, select 'Expression'. Otherwise, enter the real value";

/** For texts without a list of their own, such as secrets and webhook names. They may hold the other leftovers. */
export const BY_DEFAULT: readonly Leftover[] = [
	GARBLED,
	row(/\{\{(?:(?!\{\{).)*?\}\}|__(?:n8n_BLANK|PLACEHOLDER)_VALUE_/, NOT_FILLED_IN),
];

const NO_VALUE = 'which means that the expression found no value. Check the input field';

const IN_NAMES_AND_IDS: readonly Leftover[] = [
	...BY_DEFAULT,
	row(
		/\{\{[^}]*\}*|\$(?:(?:json|input|node)\b|\(['"])\S*|\$\{[^{}]*\}|\*\|[^|]*\|\*|^(?:«[A-Za-z]\w*»\s*)+$/,
		NOT_FILLED_IN,
	),
	row(/&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]+);/i, `an HTML ${CODE}`),
	row(/%(?:[0257][\da-f]|3[a-f]|[46]0|[89a-f][\da-f](?![\p{L}\p{N}]))/iu, `a link's ${CODE}`),
	row(/\\(?:u[\da-f]{4}|x[\da-f]{2}|['"])/i, `a program's ${CODE}`),
	row(/=[c-f][\da-f]=[89ab][\da-f]/i, `an email's ${CODE}`),
	row(/=\?[\w-]+\?[bq]\?/i, "an email's code. Copy the value from the email as it is shown"),
	// REQ_X1234_7 is a reference.
	row(/_x(?:00|[dD][89a-fA-F])[\da-fA-F]{2}_/, "a spreadsheet's code. Enter only the text"),
	// In Hebrew, '' is part of a word, and around a nickname, it's a quotation mark.
	row(/(?<=[\p{sc=Latn}\p{M}])''(?=\p{sc=Latn})/u, 'as a database writes one. Enter only one'),
	row(/^b(['"]).*\1$/i, 'which a program printed. Enter only the text inside the quotation marks'),
	row(/^[[{(][[{(\s]*['"].*(?:[\]}]|,\))$/, 'a list that a program printed. Enter one value'),
	// Errors in any language: #REF!, #¿NOMBRE?, #DIV/0!, #N/D. The few that end in a letter are named. A reference may
	// be #1234, "Ref #NVIDIA", JOB#A/B-2, or the end of a web address, such as #apply?id=5.
	row(
		/#[¡¿]?[\p{L}_]+(?:\/[\p{L}0])?[!?](?![\p{L}\p{N}])|(?:#N\/[AD]|(?<![\p{L}\p{N}])#\p{L}\/\p{L})(?![\p{L}\p{N}])|(?<!\s)#(?:NV|YOK|HIÁNYZIK|NEDOSTUPNÝ|NENÍ_K_DISPOZICI|GETTING_DATA)(?=@|$)/iu,
		"a spreadsheet's error. Correct the formula",
	),
	row(
		/#{3,}|^##?(?=@|$)/,
		'which a spreadsheet shows in place of a value. Widen the column, and save the file again',
	),
	// ="00123", '00123, '=APP-1: the marks keep a spreadsheet from changing or running a value.
	row(/^="|^'(?=[=+\-@\d])/, 'which an export adds to protect a value. Enter the value without it'),
	row(/undefined|\[object \w+\]|Invalid Date(?:Time)?/, NO_VALUE),
	row(/[\t\n\v\f\r\u2028\u2029]/, 'so two cells or rows may be one. Correct the list'),
	// Other invisible characters are part of Persian and Indic names.
	row(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u, 'perhaps copied along. Enter the value again'),
];

export const IN_NAMES: readonly Leftover[] = [
	...IN_NAMES_AND_IDS,
	// ?ukasz, Wa??sa: programs replace letters that a code page lacks.
	row(
		/\?/,
		'which often stands for a lost letter. Save the file as .xlsx or CSV UTF-8, and read it again',
	),
	// Anybody could enter a link in an open form, and have it mailed to strangers in the company's name.
	row(
		/:\/\/|(?<![\p{L}\p{N}])www\.|<[\p{L}/]\p{L}*|\.\p{L}{2,}\//iu,
		'which belongs to a web address or a web page. Enter only the name',
	),
	row(/^[\s\p{DI}\u2800]*[=@+＝＠＋]/u, 'which a spreadsheet would run. Enter only the name'),
];

/** With these, many candidates would have the same ID, or the same candidate another ID tomorrow. */
export const IN_IDS: readonly Leftover[] = [
	...IN_NAMES_AND_IDS,
	row(/«[A-Za-z]\w*»/, NOT_FILLED_IN),
	// Ligatures and Arabic presentation forms, except those of lam and alef, which keyboards have.
	row(/[\ufb00-\ufd3d\ufe70-\ufef4]/, 'which may come from a PDF. Type it again'),
	row(/^(?:null|none|nil|nan|n\/a|\\N|<na>)$/i, 'a word for a missing value. Enter the real value'),
	// `'APP-' + $json.id`. Some people are called Null: jennifer.null@example.com.
	row(/(?<![\p{L}\p{N}])null$|NaN$|^(?:null|NaN)(?:@|[-_][^@]*$)/u, NO_VALUE),
	// Excel writes 100000000123 as 1E+11.
	row(
		/\b\d[.,]\d+e\+\d\d+\b|^\dE\+\d\d$/i,
		'a number that was rounded. Format the column as text, and enter the IDs again',
	),
	// An empty cell makes a column of numbers decimal.
	row(
		/(?<![\p{L}\p{N}.,]|\p{N}-)\d{3,}[.,]00?$/u,
		'a number that a spreadsheet changed. Format the column as text, and enter the IDs again',
	),
];

/** A CV may mention templates, spreadsheets and HTML. */
export const IN_FREE_TEXT: readonly Leftover[] = [GARBLED];
