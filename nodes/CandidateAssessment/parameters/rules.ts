import { jsonParse, type IDataObject } from 'n8n-workflow';
import { inOneLine } from '../utils/inOneLine';
import { IN_IDS, BY_DEFAULT } from './leftovers';
import { misreadIn } from './misread';

/**
 * A field rule of the specification ("Endpoints" and "Limits"): takes the entered value, and returns the value to send.
 * Throws `ValidationError`, whose message states the rule, and quotes the value, or has its length.
 */
export type Rule<T> = (value: unknown) => T;

/** The message follows the field's name: "Skills: 17 given, at most 15 are allowed". */
export class ValidationError extends Error {}

/** True if a value counts as a field left empty, which is never sent. */
export function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (typeof value === 'string') return /^[\s\p{Cc}\p{DI}\u2800\ufff9-\ufffb]*$/u.test(value);
	return typeof value === 'object' && Object.keys(value).length === 0 && !(value instanceof Date);
}

/** Trims a text, or a number (spreadsheets turn IDs into numbers). `max` counts an emoji as one character. */
export function string({ max = Infinity, leftovers = BY_DEFAULT } = {}): Rule<string> {
	return (value) => {
		// A larger number was rounded, so several IDs may have become the same.
		if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
			fail('this number has too many digits. Format it as text at its source');
		}
		const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
		if (typeof text !== 'string') return fail(`expected text, got ${kindOf(value)}`);
		const trimmed = text.trim();
		checkLength(trimmed, max);
		if (/\p{Surrogate}/u.test(text)) fail('contains a damaged character. Enter it again');
		for (const { find, words } of leftovers) {
			const found = find(text);
			if (found) fail(`contains ${nameOf(found)}, ${words}`);
		}
		return trimmed;
	};
}

/** Comes first: the other checks would take too long for a huge text. */
function checkLength(text: string, max: number): void {
	// A character has one or two code units, so only longer texts need counting.
	const length = text.length > max ? [...text].length : 0;
	if (length > max) fail(`${length} characters, but the maximum is ${max}`);
}

/**
 * A text that identifies something, such as an application. Drops invisible characters that were copied along, or typed
 * by a barcode scanner: they would make it a different text. A letter and its accent become one character.
 */
export function externalId({ max = MAX_ID_LENGTH } = {}): Rule<string> {
	const rule = string({ max, leftovers: IN_IDS });
	return (value) => {
		if (typeof value !== 'string') return rule(value);
		// Composing makes a text up to four times shorter. It takes quadratic time.
		if (value.length > 4 * max) checkLength(value.trim(), max);
		const text = value.normalize('NFC');
		// The second half of a misread letter may be invisible: MartÃ\xadn.
		const visible = misreadIn(text) ? text : text.replace(INVISIBLE, '');
		return rule(visible) || fail('required, but empty');
	};
}

/** The specification sets no limit for IDs; this fits any server's URL limit. */
const MAX_ID_LENGTH = 2_000;

/** Default ignorable code points and the like, but not \x80 to \x9f: the halves of a misread letter (misread.ts). */
const INVISIBLE = /[\p{DI}\u2800\ufff9-\ufffb]|(?![\s\x80-\x9f])\p{Cc}/gu;

const serviceId = externalId();

/** An identifier for use in a path. It has no slash: a server on the way might decode an escaped one. */
export const identifier: Rule<string> = (value) => {
	const id = serviceId(value);
	if (/[/\\]|^\.{1,2}(?![^;])/.test(id)) {
		fail(
			'contains a slash, a backslash, or nothing but dots. Enter only the code, or the whole link',
		);
	}
	return id;
};

/** An ID of the service, a UUID. Other values aren't quoted: they may be personal, mapped here by mistake. */
export function idOf(thing: string): Rule<string> {
	return (value) => {
		const id = serviceId(value);
		if (UUID.test(id)) return id;
		return fail(`not a ${thing} ID. It should look like 3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c`);
	};
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An email address. The part before the @ may have whatever real addresses have (o'neil, jane+tag, any script). */
export function email({ max }: { max: number }): Rule<string> {
	const rule = externalId({ max });
	return (value) => {
		const address = rule(value);
		const wrong = NOT_IN_ADDRESS.exec(address)?.[0] ?? NOT_IN_DOMAIN.exec(address)?.[1];
		if (wrong) fail(`not an email address: ${quoted(address)} contains ${nameOf(wrong)}`);
		if (ADDRESS.test(address)) return address;
		const advice = 'Enter only the address, such as jane@example.com';
		return fail(`not an email address: ${quoted(address)}. ${advice}`);
	};
}

/** The domain has two labels or more. The dots within a label are Catalan and Japanese, the quotation marks Hebrew. */
const ADDRESS = /^[^@]+@(?:(?!-)[\p{L}\p{M}\p{N}·・׳״-]+(?<!-)(?:\.(?!$)|$)){2,}$/u;

/** Characters of lists, links and quoted addresses. With o’neil@ and o'neil@, one person would be invited twice. */
const NOT_IN_ADDRESS = /''|[\s,;:<>()[\]\\"`´′‚„ʹʼ＇\p{Pi}\p{Pf}]/u;
const NOT_IN_DOMAIN = /^[^@]*@.*?([^\p{L}\p{M}\p{N}·・׳״.@-])/u;

export const url: Rule<string> = (value) => {
	const address = string()(value);
	// The URL parser would drop or replace invalid characters, but the service gets the original.
	const isPlain = /^https?:\/\/(?!\/)[^\s\p{Cc}"<>\\^`{|}]+$/iu.test(address);
	if (isPlain && URL.canParse(address)) return address;
	return fail('expected a full web address, such as https://hr.example.com/hook');
};

/** A boolean, or the words true and false, as spreadsheets have them. */
export const boolean: Rule<boolean> = (value) => {
	if (typeof value === 'boolean') return value;
	const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
	if (word === 'true' || word === 'false') return word === 'true';
	fail(`expected true or false, got ${kindOf(value)}`);
};

/** A whole number, or its decimal digits as text: "14" or a spreadsheet's "14.0". */
export function integer({ min, max }: { min: number; max: number }): Rule<number> {
	return (value) => {
		const isDecimal = typeof value === 'string' && /^\s*-?\d+(\.0+)?\s*$/.test(value);
		const number = isDecimal || typeof value === 'number' ? Number(value) : NaN;
		if (Number.isInteger(number) && number >= min && number <= max) return number;
		return fail(`must be a whole number from ${min} to ${max}`);
	};
}

/** A fixed word of the specification, in its exact spelling. */
export function oneOf<T extends string>(...words: readonly T[]): Rule<T> {
	return (value) =>
		words.find((word) => word === value) ?? fail(`must be one of: ${words.join(', ')}`);
}

/** A list whose entries all meet the rule. The message counts entries from 1. */
export function listOf<T>(rule: Rule<T>, { max = Infinity } = {}): Rule<T[]> {
	return (value) => {
		if (!Array.isArray(value)) fail(`expected a list, got ${kindOf(value)}`);
		if (value.length > max) fail(`${value.length} given, at most ${max} are allowed`);
		return Array.from(value, (entry, index) => within(`entry ${index + 1}`, rule, entry));
	};
}

/** An object whose fields all meet their rules. Empty fields are dropped, unknown ones refused. */
export function object(rules: Record<string, Rule<IDataObject[string]>>): Rule<IDataObject> {
	const names = Object.keys(rules);
	return (value) => {
		if (value !== Object(value) || Array.isArray(value)) {
			fail(`expected an object, got ${kindOf(value)}`);
		}
		const filled = Object.entries(value as IDataObject).filter(([, field]) => !isEmpty(field));
		if (filled.length === 0) fail('is empty');
		const unknown = filled.find(([name]) => !names.includes(name));
		if (unknown) fail(`unknown field ${quoted(unknown[0])}; the fields are ${names.join(', ')}`);
		return Object.fromEntries(
			filled.map(([name, field]) => [name, within(name, rules[name], field)]),
		);
	};
}

/** A list given as JSON text, or as the list itself (from an expression). */
export function json<T>(rule: Rule<T>): Rule<T> {
	return (value) => {
		if (typeof value !== 'string') return rule(value);
		return rule(jsonParse(value, { fallbackValue: () => fail('not valid JSON') }));
	};
}

function within<T>(place: string, rule: Rule<T>, value: unknown): T {
	try {
		return rule(value);
	} catch (error) {
		return fail(`${place}: ${(error as Error).message}`);
	}
}

export function fail(message: string): never {
	throw new ValidationError(message);
}

/** Names a part of a text in a message: some characters are hard to read in quotation marks. */
function nameOf(found: string): string {
	const [, name] = NAMES.find(([character]) => character.test(found)) ?? [];
	const isPrintForm = /^[\ufb00-\ufef4]$/.test(found);
	return name ?? (isPrintForm ? `a printed ${quoted(found.normalize('NFKC'))}` : quoted(found));
}

const NAMES: ReadonlyArray<[RegExp, string]> = [
	[/^[\n\v\f\r\u2028\u2029]$/, 'a line break'],
	[/^\t$/, 'a tab'],
	[/^\p{C}$/u, 'an invisible character'],
	[/^\s$/, 'a space'],
	[/^\?$/, 'a question mark'],
	[/^'$/, 'an apostrophe'],
	[/^''$/, 'a doubled apostrophe'],
	[/^’$/, 'a curly apostrophe'],
	[/^"$/, 'a quotation mark'],
];

/** Quotes as much of a text as fits in a message. */
export function quoted(text: string): string {
	return `'${inOneLine(text, 50)}'`;
}

export function kindOf(value: unknown): string {
	if (value === null || value === undefined) return 'nothing';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'string') return 'text';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
