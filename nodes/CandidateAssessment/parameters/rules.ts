import { jsonParse, type IDataObject } from 'n8n-workflow';
import { inOneLine } from '../utils/inOneLine';
import { IN_EMAILS, IN_IDENTIFIERS, IN_NAMES, IN_REFERENCES, IN_SETTINGS } from './leftovers';

/**
 * The field rules of the specification (sections "Endpoints" and "Limits"), each a pure function:
 * what the user entered goes in, what is sent comes out. A value that does not meet its rule
 * throws `ValidationError`, whose message states the rule and the value's measure. It quotes the value
 * only where that can't be personal, such as a date or a field name.
 */
export type Rule<T> = (value: unknown) => T;

/** Its message follows the field's name: "Skills: 17 given, at most 15 are allowed". */
export class ValidationError extends Error {}

/** True if a value counts as a field left empty, which is never sent. */
export function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (typeof value === 'string') return /^[\s\p{Cf}\p{Cc}]*$/u.test(value);
	return typeof value === 'object' && Object.keys(value).length === 0 && !(value instanceof Date);
}

/**
 * A text without the spaces around it, or a number (spreadsheets turn IDs into numbers). `max` counts an emoji as
 * one character.
 */
export function string({ max = Infinity, leftovers = IN_SETTINGS } = {}): Rule<string> {
	return (value) => {
		// A larger number was rounded, so several IDs may have become the same.
		if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
			fail('this number has too many digits. Format it as text at its source');
		}
		const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
		if (typeof text !== 'string') return fail(`expected text, got ${kindOf(value)}`);
		if (/\p{Surrogate}/u.test(text)) fail('contains a damaged character. Enter it again');
		for (const { find, words } of leftovers) {
			const found = find(text);
			if (found) fail(`contains ${named(found)}, ${words}`);
		}
		// A character has one or two code units, so only longer texts need counting.
		const trimmed = text.trim();
		const length = trimmed.length > max ? [...trimmed].length : 0;
		if (length > max) fail(`${length} characters, but the maximum is ${max}`);
		return trimmed;
	};
}

/**
 * Somebody's first or last name. Control characters and those that turn the text's direction are dropped from its ends
 * and refused inside. Others that are invisible are part of Persian and Indic names.
 */
export function personName({ max }: { max: number }): Rule<string> {
	const rule = string({ max, leftovers: IN_NAMES });
	return (value) => {
		const name = rule(value).replace(CONTROLS_AROUND, '');
		if (CONTROL.test(name)) fail(INVISIBLE);
		return name;
	};
}

/** Not the marks that only say which way the signs beside them run, as Hebrew and Arabic texts have them. */
const CONTROL = /\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;

/** The lookbehind keeps long runs in the middle from being scanned repeatedly. */
const CONTROLS_AROUND =
	/^[\s\p{Cc}\p{Bidi_Control}]+|(?<![\s\p{Cc}\p{Bidi_Control}])[\s\p{Cc}\p{Bidi_Control}]+$/gu;

/** Somebody's own ID for something, which may be an email address. */
export function reference({ max = Infinity } = {}): Rule<string> {
	const id = string({ max, leftovers: IN_REFERENCES });
	const address = string({ max, leftovers: IN_EMAILS });
	return identifying((value) =>
		typeof value === 'string' && value.includes('@') ? address(value) : id(value),
	);
}

/**
 * A text that identifies something. Spaces and invisible characters that were copied along with it are dropped
 * from its ends; invisible ones inside are refused, because they would make it a different text. A letter and its
 * accent become one character.
 */
function identifying(rule: Rule<string>): Rule<string> {
	return (value) => {
		const isText = typeof value === 'string';
		const id = rule(isText ? value.normalize('NFC').replace(UNSEEN_AROUND, '') : value);
		if (id === '') fail('required, but empty');
		if (UNSEEN.test(id)) fail(INVISIBLE);
		return id;
	};
}

const INVISIBLE = 'contains an invisible character, which is not allowed. Enter it again';

/** Barcode scanners also type control characters. */
const UNSEEN = /\p{Cf}|(?!\s)\p{Cc}/u;

const UNSEEN_AROUND = /^[\s\p{Cf}\p{Cc}]+|(?<![\s\p{Cf}\p{Cc}])[\s\p{Cf}\p{Cc}]+$/gu;

const serviceId = identifying(string({ leftovers: IN_IDENTIFIERS }));

/** An identifier for use in a path, however often that is decoded on its way. */
export const identifier: Rule<string> = (value) => {
	const id = serviceId(value);
	const decoded = id.replace(/%(?:25)*(2e|2f|5c)/gi, (_escape, code: string) =>
		String.fromCharCode(parseInt(code, 16)),
	);
	if (/[/\\]|^\.\.?(?![^;])/.test(decoded)) {
		fail('contains a slash, a backslash or only dots, so it would lead to another address');
	}
	return id;
};

/**
 * One of the service's IDs, a UUID of any version. Anything else isn't quoted: it may be a name or an
 * email address that was mapped here by mistake.
 */
export function idOf(thing: string): Rule<string> {
	return (value) => {
		const id = serviceId(value);
		if (!UUID.test(id)) {
			fail(`not a ${thing} ID. It should look like 3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c`);
		}
		return id;
	};
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * An email address: something before one @, and a domain behind it. The part before may have whatever real
 * addresses have (o'neil, jane+tag, any script), but nothing that only lists, links, and quoted addresses have.
 */
export function email({ max }: { max: number }): Rule<string> {
	const rule = reference({ max });
	return (value) => {
		const address = rule(value);
		const fault = faultOfAddress(address);
		if (fault) fail(`not an email address: ${fault}`);
		return address;
	};
}

function faultOfAddress(address: string): string | undefined {
	if (IN_QUOTATION_MARKS.test(address)) return 'it is in quotation marks. Remove them';
	const [sign] = /[\s,;:<>()[\]\\"]/.exec(address) ?? [];
	if (sign) return `it contains ${named(sign)}`;
	const [local, domain, ...others] = address.split('@');
	if (!local || !domain || others.length > 0) {
		return 'it needs one @, with something before and after it';
	}
	return faultOfDomain(domain);
}

/** An opening mark alone is enough, but for the apostrophe and the accent, which addresses may begin with. */
const IN_QUOTATION_MARKS = /^["\p{Pi}‚„]|^['`´].*['`´\p{Pf}\p{Pi}]$/u;

function faultOfDomain(domain: string): string | undefined {
	if (domain.endsWith('.')) return 'it ends with a dot. Remove it';
	// The dots in the middle are Catalan and Japanese, the quotation marks Hebrew.
	const [sign] = /[^\p{L}\p{M}\p{N}·・׳״.-]/u.exec(domain) ?? [];
	if (sign) return `after the @, it contains ${named(sign)}. Remove what isn't the address`;
	const labels = domain.split('.');
	if (labels.includes('')) return 'after the @, a dot has nothing before it';
	if (labels.some((label) => /^-|-$/.test(label))) {
		return 'after the @, a part begins or ends with a hyphen';
	}
	return labels.length < 2 ? 'after the @, it has no ending such as .com' : undefined;
}

/** An absolute web address (http or https). */
export const url: Rule<string> = (value) => {
	const address = string()(value);
	// The URL parser would drop or replace invalid characters, but the service gets the original.
	const isPlain = /^https?:\/\/(?!\/)[^\s\p{Cc}"<>\\^`{|}]+$/iu.test(address);
	if (!isPlain || !URL.canParse(address)) {
		fail('expected a full web address, such as https://hr.example.com/hook');
	}
	return address;
};

/** A boolean, or the words true and false, as spreadsheets have them. */
export const boolean: Rule<boolean> = (value) => {
	if (typeof value === 'boolean') return value;
	const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
	if (word === 'true' || word === 'false') return word === 'true';
	fail(`expected true or false, got ${kindOf(value)}`);
};

/** A whole number, also as text: in decimal digits, as "14" or a spreadsheet's "14.0". */
export function integer({ min, max }: { min: number; max: number }): Rule<number> {
	return (value) => {
		const isDecimal = typeof value === 'string' && /^\s*-?\d+(\.0+)?\s*$/.test(value);
		const number = isDecimal ? Number(value) : value;
		if (!Number.isInteger(number) || (number as number) < min || (number as number) > max) {
			fail(`must be a whole number from ${min} to ${max}`);
		}
		return number as number;
	};
}

/** One of the specification's fixed words, exactly as it writes them. */
export function oneOf<T extends string>(...words: readonly T[]): Rule<T> {
	return (value) => {
		const word = words.find((candidate) => candidate === value);
		return word ?? fail(`must be one of: ${words.join(', ')}`);
	};
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
		if (typeof value !== 'object' || value === null || Array.isArray(value)) {
			fail(`expected an object, got ${kindOf(value)}`);
		}
		const filled = Object.entries(value).filter(([, field]) => !isEmpty(field));
		if (filled.length === 0) fail('is empty');
		return Object.fromEntries(
			filled.map(([name, field]) => {
				if (!names.includes(name)) {
					fail(`unknown field ${quoted(name)}; the fields are ${names.join(', ')}`);
				}
				return [name, within(name, rules[name], field)];
			}),
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

/** What was found in a text, as a message names it: some signs are hard to read in quotation marks. */
function named(found: string): string {
	if (/^[\n\v\f\r\u2028\u2029]$/.test(found)) return 'a line break';
	const name = SIGNS.get(found) ?? (found.trim() === '' ? 'a space' : undefined);
	return name ?? quoted(found.trim());
}

const SIGNS: ReadonlyMap<string, string> = new Map([
	['?', 'a question mark'],
	["'", 'an apostrophe'],
	['"', 'a quotation mark'],
	['\t', 'a tab'],
]);

/** As much of a text as fits in a message. */
export function quoted(text: string): string {
	return `'${inOneLine(text, 50)}'`;
}

export function kindOf(value: unknown): string {
	if (value === null || value === undefined) return 'nothing';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'string') return 'text';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
