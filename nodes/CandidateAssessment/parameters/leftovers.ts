import { HIDDEN_VALUE_PLACEHOLDER } from '../utils/hiddenValue';
import { misreadIn } from './misread';

/** What a data error leaves in a text. No real text may match: a broken value that passes does less harm. */
export interface Leftover {
	/** The part of a text that gives it away. */
	find: (text: string) => string | undefined;
	/** Follows "contains …, " in the error: the cause, and what to do. */
	words: string;
}

const matching = (pattern: RegExp) => (text: string) => pattern.exec(text.trim())?.[0];

const GARBLED: Leftover = {
	find: misreadIn,
	words: 'garbled text. Save the file as .xlsx or CSV UTF-8, and read it again',
};

/** ?ukasz, Wa??sa: what a program writes for letters that a code page lacks. */
const LOST_LETTER: Leftover = {
	find: matching(/\?/),
	words:
		'which often stands for a lost letter. Save the file as .xlsx or CSV UTF-8, and read it again',
};

const HTML = /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]+);/i;
const HTML_CODE: Leftover = {
	find: matching(HTML),
	words: 'an HTML code. Replace it with the character it stands for',
};

/**
 * In any language: #REF!, #¿NOMBRE?, #DIV/0!, #N/D. The few that end in a letter are named. A reference may
 * be #1234, "Ref #NVIDIA", JOB#A/B-2, or the end of a web address, such as #apply?id=5.
 */
const ERROR =
	/#[¡¿]?[\p{L}_]+(?:\/[\p{L}0])?[!?](?![\p{L}\p{N}])|(?:#N\/[AD]|(?<![\p{L}\p{N}])#\p{L}\/\p{L})(?![\p{L}\p{N}])|(?<!\s)#(?:NV|YOK|HIÁNYZIK|NEDOSTUPNÝ|NENÍ_K_DISPOZICI|GETTING_DATA)(?=@|$)/iu;
const SPREADSHEET_ERROR: Leftover = {
	find: matching(ERROR),
	words: "a spreadsheet's error. Correct the formula",
};

const NARROW_COLUMN: Leftover = {
	find: matching(/#{3,}|^##?(?=@|$)/),
	words: 'which a spreadsheet shows in place of a value. Widen the column, and save the file again',
};

const NO_VALUE = 'which means that the expression found no value. Check the input field';
const MISSING_VALUE =
	/undefined|\[object \w+\]|Invalid Date(?:Time)?|^NaN|NaN$|(?<![\p{L}\p{N}])NaN(?![\p{L}\p{N}])/u;
const MISSING: Leftover = { find: matching(MISSING_VALUE), words: NO_VALUE };

const PLACEHOLDER: Leftover = {
	find: matching(/__PLACEHOLDER_VALUE__/),
	words: 'a placeholder left by an AI workflow builder. Replace it with the real value',
};

const HIDDEN_VALUE: Leftover = {
	find: matching(HIDDEN_VALUE_PLACEHOLDER),
	words: "n8n's placeholder for a hidden value. Enter it again",
};

/** Typed or generated as fixed text, or a mail merge's: it would go out to everybody. */
const EXPRESSION: Leftover = {
	find: (text) => {
		const start = text.indexOf('{{');
		const end = text.indexOf('}}', start);
		return start >= 0 && end >= 0 ? text.slice(start, end + '}}'.length) : undefined;
	},
	words:
		"which was not filled in. If this is an expression, the field is set to Fixed: select 'Expression'. Otherwise, enter the real value",
};

/** JavaScript's and Mailchimp's. A secret and an address may look like them. */
const MERGE_FIELD: Leftover = {
	find: matching(/\$\{[^{}]*\}|\*\|[^|]*\|\*/),
	words: 'which was not filled in. Enter the real value',
};

/** Anyone who fills in an open form could have it mailed to strangers in the company's name. */
const WEB_ADDRESS: Leftover = {
	find: matching(/:\/\/|(?<![\p{L}\p{N}])www\.|<[\p{L}/]\p{L}*/iu),
	words: 'which belongs to a web address or a web page. Enter the name alone',
};

/** ="00123", '00123, '=APP-1: an export keeps a spreadsheet from changing or running them. */
const PROTECTION: Leftover = {
	find: matching(/^="|^'(?=[=+\-@\d])/),
	words: 'which an export adds to protect a value. Enter the value without it',
};

const LINE_BREAK: Leftover = {
	find: matching(/[\t\n\v\f\r\u2028\u2029]/),
	words: 'so two cells or rows may have become one. Correct the list',
};

const ROUNDED: Leftover = {
	find: matching(/\d\.\d{8,}e\+\d\d+/),
	words: 'a number that was rounded. Format it as text at its source',
};

const ROUNDED_BY_SPREADSHEET: Leftover = {
	// Excel writes 100000000123 as 1E+11.
	find: matching(/\b\d[.,]\d+E\+\d\d\b|^\dE\+\d\d$/),
	words: 'a number that a spreadsheet rounded. Format the column as text, and enter the IDs again',
};

/** As a part, only `null`: `'APP-' + $json.id` gives "APP-null". None-1 and NA-12 are real. */
const NOTHING: Leftover = {
	find: matching(/^(?:null|none|nil|nan|n\/a|\\N|<na>|undefined)$/i),
	words: 'a word for a missing value. Enter the real value',
};
const NULL_WITHIN: Leftover = {
	find: matching(/(?<![\p{L}\p{N}])null(?![\p{L}\p{N}])/u),
	words: NO_VALUE,
};

/** Some people are called Null, and their address may be jennifer.null@example.com. */
const NULL_ADDRESS: Leftover = { find: matching(/^null(?=@)/), words: NO_VALUE };

const EVERYWHERE = [
	GARBLED,
	PLACEHOLDER,
	HIDDEN_VALUE,
	{ ...SPREADSHEET_ERROR, find: matching(/^#(?:[\p{Lu}/0]+[!?]|N\/A)$/u) },
];

/** A secret, or a name in the service, may look like most of the others. */
export const IN_SETTINGS: readonly Leftover[] = [...EVERYWHERE, EXPRESSION];

/** So may the service's own IDs, but no two of them are the same. */
export const IN_IDENTIFIERS: readonly Leftover[] = [
	...IN_SETTINGS,
	NOTHING,
	MISSING,
	ROUNDED,
	ROUNDED_BY_SPREADSHEET,
	NULL_WITHIN,
];

const IN_LISTS = [MERGE_FIELD, HTML_CODE, SPREADSHEET_ERROR, NARROW_COLUMN, PROTECTION, LINE_BREAK];

export const IN_REFERENCES: readonly Leftover[] = [...IN_IDENTIFIERS, ...IN_LISTS];

export const IN_EMAILS: readonly Leftover[] = [
	...IN_REFERENCES.filter((leftover) => leftover !== NULL_WITHIN && leftover !== MERGE_FIELD),
	NULL_ADDRESS,
];

export const IN_NAMES: readonly Leftover[] = [
	...IN_SETTINGS,
	MISSING,
	...IN_LISTS,
	WEB_ADDRESS,
	LOST_LETTER,
];

/** A CV may speak of templates, spreadsheets and HTML, so the whole text must be what they leave. */
export const IN_FREE_TEXT: readonly Leftover[] = [
	...EVERYWHERE,
	{ ...EXPRESSION, find: matching(/^\{\{[^}]*\}\}$/) },
	{ ...HTML_CODE, find: matching(whole(HTML)) },
	{ ...SPREADSHEET_ERROR, find: matching(whole(ERROR)) },
	{ ...NARROW_COLUMN, find: matching(/^##+$/) },
	{ ...MISSING, find: matching(whole(MISSING_VALUE)) },
];

function whole({ source, flags }: RegExp): RegExp {
	return new RegExp(`^(?:${source})$`, flags);
}
