import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

/**
 * The field rules of the specification (sections "Endpoints" and "Limits"), each a pure function:
 * what the user entered goes in, what is sent comes out. A value that does not meet its rule
 * throws `ValidationError`, whose message says the rule and the value's measure. It shows the value
 * itself only where that is nothing personal: an ID of the service, a date, the name of a field.
 */
export type Rule<T> = (value: unknown) => T;

/** The message completes a sentence that starts with the field's name: "Skills: 17 given, at most …". */
export class ValidationError extends Error {}

/** When and where a date is read: dates without a zone are in the workflow's time zone. */
export interface DateContext {
	readonly now: DateTime;
	/** As the workflow's settings have it, known or not. */
	timezone: string;
}

/** True for what counts as a field left empty, which is never sent. */
export function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (typeof value === 'string') return value.trim() === '';
	return typeof value === 'object' && Object.keys(value).length === 0 && !(value instanceof Date);
}

/**
 * A text, or a number that stands for one (spreadsheets turn IDs into numbers).
 * `max` counts characters as a reader does: an emoji is one.
 */
export function string({ max = Infinity }: { max?: number } = {}): Rule<string> {
	return (value) => {
		// An ID beyond these was rounded when it became a number, so that several may look like one.
		if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
			fail('the number is too long to be exact; it must be passed as text');
		}
		const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
		if (typeof text !== 'string') return fail(`text is expected, got ${kindOf(value)}`);
		if (/\p{Surrogate}/u.test(text)) fail('contains half of a broken character');
		// A character is one or two code units: only the texts in between need counting.
		if (text.length > max) {
			const length = [...text].length;
			if (length > max) fail(`${length} characters given, at most ${max} are allowed`);
		}
		return text;
	};
}

/** A text without what a copy brings along: the blanks and the invisible characters around it. */
export function trimmed({ max }: { max?: number } = {}): Rule<string> {
	return (value) => {
		const text = string({ max })(string()(value).replace(UNSEEN_AROUND, ''));
		if (text === '') fail('required, but empty');
		return text;
	};
}

/** The same for what tells one thing from another. */
export function reference({ max }: { max?: number } = {}): Rule<string> {
	return (value) => withoutHoles(trimmed({ max })(value), HOLES_OR_NULL);
}

/** What a person is called. There are people called Null. */
export function personName({ max }: { max?: number } = {}): Rule<string> {
	return (value) => withoutHoles(string({ max })(value), HOLES);
}

/**
 * The words that JavaScript writes where a value is missing or no text: `'APP-' + $json.id` gives
 * "APP-undefined", the same for everybody.
 */
const HOLES = holes('undefined', 'NaN');
const HOLES_OR_NULL = holes('undefined', 'NaN', 'null');

function holes(...words: string[]): RegExp {
	const word = String.raw`(?<![\p{L}\p{N}])(?:${words.join('|')})(?![\p{L}\p{N}])`;
	return new RegExp(String.raw`${word}|\[object Object\]`, 'u');
}

function withoutHoles(text: string, pattern: RegExp): string {
	const [hole] = pattern.exec(text) ?? [];
	if (hole) fail(`contains ${quoted(hole)}, which an expression gives where a value is missing`);
	return text;
}

/** The same for a text that means something else with an invisible character in it, which nobody would find. */
function visible({ max }: { max?: number } = {}): Rule<string> {
	return (value) => {
		const text = trimmed({ max })(value);
		if (/\p{Cf}/u.test(text)) fail('contains an invisible character, which is not allowed');
		return text;
	};
}

/** Looks behind itself, so that a long run of blanks in the middle is read only once. */
const UNSEEN_AROUND = /^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu;

/** An identifier as it stands in an address; blanks around a pasted one are dropped. */
export const identifier: Rule<string> = (value) => {
	const id = string()(value).trim();
	if (id === '') fail('required, but empty');
	// Even percent-encoded, an address with one of these leads somewhere else.
	if (id === '.' || id === '..') fail('"." and ".." are not identifiers');
	return id;
};

export const uuid: Rule<string> = (value) => {
	const id = visible()(value);
	if (!isUuid(id))
		fail(`a UUID is expected, such as ${EXAMPLE_UUID} (8-4-4-4-12 hexadecimal digits)`);
	return id;
};

/** An ID of the service's own, which is a UUID; what is none is shown: "'Analyst' is not a job ID". */
export function idOf(thing: string): Rule<string> {
	return (value) => {
		const id = visible()(value);
		if (!isUuid(id)) fail(`${quoted(id)} is not a ${thing} ID, which looks like ${EXAMPLE_UUID}`);
		return id;
	};
}

const EXAMPLE_UUID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

/** A UUID of any version, in upper or lower case. */
function isUuid(text: string): boolean {
	return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/**
 * An email address: something before and after one @, and no blank. What a copy brings along around
 * it is dropped. Anything stricter would turn away addresses that exist.
 */
export function email({ max }: { max: number }): Rule<string> {
	return (value) => {
		const address = withoutHoles(visible({ max })(value), HOLES);
		if (!/^[^\s@]+@[^\s@]+$/u.test(address)) {
			fail('an email address is expected: one @, something before and after it, and no spaces');
		}
		return address;
	};
}

/** An absolute web address (http or https). */
export const url: Rule<string> = (value) => {
	const address = string()(value).trim();
	// What no address may hold, the parser drops or replaces, but it would be sent as it is.
	const isPlain = /^https?:\/\/(?!\/)[^\s\p{Cc}"<>\\^`{|}]+$/iu.test(address);
	if (!isPlain || !URL.canParse(address)) {
		fail('a full web address is expected, such as https://hr.example.com/hook');
	}
	return address;
};

/** Yes or no; also as the words true and false, which is how spreadsheets deliver them. */
export const boolean: Rule<boolean> = (value) => {
	if (typeof value === 'boolean') return value;
	const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
	if (word === 'true' || word === 'false') return word === 'true';
	fail(`true or false is expected, got ${kindOf(value)}`);
};

/** A whole number; also as text, which is how spreadsheets deliver it. */
export function integer({ min, max }: { min: number; max: number }): Rule<number> {
	return (value) => {
		const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
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

/** A list in which every entry meets the rule; the message counts entries from 1. */
export function listOf<T>(rule: Rule<T>, { max = Infinity }: { max?: number } = {}): Rule<T[]> {
	return (value) => {
		if (!Array.isArray(value)) fail(`a list is expected, got ${kindOf(value)}`);
		if (value.length > max) {
			fail(`${value.length} given, at most ${max} are allowed`);
		}
		return Array.from(value, (entry, index) => within(`entry ${index + 1}`, rule, entry));
	};
}

/** An object of which every field meets its rule. Fields left empty are dropped, unknown ones refused. */
export function object(rules: Record<string, Rule<IDataObject[string]>>): Rule<IDataObject> {
	const known = Object.keys(rules);
	return (value) => {
		if (typeof value !== 'object' || value === null || Array.isArray(value)) {
			fail(`an object is expected, got ${kindOf(value)}`);
		}
		const filled = Object.entries(value).filter(([, field]) => !isEmpty(field));
		if (filled.length === 0) fail('is empty');
		return Object.fromEntries(
			filled.map(([name, field]) => {
				if (!known.includes(name)) {
					fail(`unknown field ${quoted(name)}; the fields are ${known.join(', ')}`);
				}
				return [name, within(name, rules[name], field)];
			}),
		);
	};
}

/** A list given as JSON text, or as the list itself (from an expression). */
export function json<T>(rule: Rule<T>): Rule<T> {
	return (value) => rule(typeof value === 'string' ? parsed(value) : value);
}

/**
 * The invitation deadline: not in the past, at most 3 calendar months from today. The whole of that
 * last day counts, in whichever of the workflow's time zone and UTC it ends later.
 *
 * A date without a time of day means the end of that day. n8n's date picker writes midnight for a
 * day that was picked without a time ("2026-12-15T00:00:00"), and nothing tells it from a midnight
 * that was meant, so midnight without a zone counts as no time too: a deadline that comes a day
 * late does no harm, one that comes a day early does. With a zone, midnight is midnight.
 *
 * Sent as a UTC date-time in ISO 8601, to the second.
 */
export function deadline(context: DateContext): Rule<string> {
	return (value) => {
		const zone = zoneOf(context);
		const isDay = typeof value === 'string' && DAY_WITHOUT_TIME.test(value.trim());
		const due = dateTime(value, zone, { isPersonal: false });
		const shown = typeof value === 'string' ? value : due.toISO({ suppressMilliseconds: true });
		return inTime(isDay ? due.endOf('day') : due, quoted(shown), context);
	};
}

/** The deadline as so many whole days from today; it is the end of that day in the workflow's time zone. */
export function deadlineDays(context: DateContext): Rule<string> {
	return (value) => {
		const days = integer({ min: 1, max: MAX_DAYS })(value);
		const due = context.now.setZone(zoneOf(context)).plus({ days }).endOf('day');
		return inTime(due, days === 1 ? '1 day from now' : `${days} days from now`, context);
	};
}

/** No 3 months have more days. */
const MAX_DAYS = 92;
const DAY_WITHOUT_TIME = /^\d{4}-\d\d-\d\d([T ]00:00(:00(\.0+)?)?)?$/;

function inTime(due: DateTime, shown: string, { now, timezone }: DateContext): string {
	const sent = due.toUTC().startOf('second');
	if (sent <= now) fail(`${shown} is in the past`);
	const lastDay = now.setZone(timezone).plus({ months: 3 });
	const latest = DateTime.max(lastDay.endOf('day'), now.toUTC().plus({ months: 3 }).endOf('day'));
	if (due > latest) {
		fail(`${shown} is more than 3 months from today; the last day is ${lastDay.toISODate()}`);
	}
	return sent.toISO({ suppressMilliseconds: true }) as string;
}

function zoneOf({ now, timezone }: DateContext): string {
	if (!now.setZone(timezone).isValid) {
		fail(
			`the workflow's time zone, ${quoted(timezone)}, does not exist; choose another in the workflow's settings`,
		);
	}
	return timezone;
}

/**
 * A calendar day, sent as YYYY-MM-DD: the day that was written, whatever time and zone stand behind
 * it. A `DateTime` has the day that it shows; a JavaScript date has the day that n8n writes it with
 * when it puts it into an item, which is UTC's.
 */
export const isoDate: Rule<string> = (value) => {
	const date = dateTime(value, 'utc', { isPersonal: true });
	const written = DateTime.isDateTime(value) ? value.toISO() : value;
	const text = typeof written === 'string' ? written.trim() : date.toISO();
	// Beyond these years ISO 8601 writes six digits and a sign.
	if (!text || !/^\d{4}-/.test(text)) return fail('a year of four digits is expected');
	return text.slice(0, 'YYYY-MM-DD'.length);
};

function dateTime(
	value: unknown,
	zone: string,
	{ isPersonal }: { isPersonal: boolean },
): DateTime<true> {
	if (DateTime.isDateTime(value)) return valid(value.setZone(zone));
	if (value instanceof Date) return valid(DateTime.fromJSDate(value, { zone }));
	if (typeof value !== 'string') return fail(`a date is expected, got ${kindOf(value)}`);
	const written = value.trim();
	// Luxon also reads a mere time of day, as today's.
	const isWhole = /^([+-]\d\d)?\d{4}-\d\d-\d\d/.test(written);
	const iso = DateTime.fromISO(isWhole ? written : '', { zone });
	const date = iso.isValid ? iso : DateTime.fromSQL(isWhole ? written : '', { zone });
	return valid(date, notUnderstood(written, isPersonal));
}

function valid(date: DateTime, problem = 'is not a valid date'): DateTime<true> {
	return date.isValid ? (date as DateTime<true>) : fail(problem);
}

/** What looks like no date at all may be something personal that was mapped here by mistake. */
function notUnderstood(written: string, isPersonal: boolean): string {
	const isShown = !isPersonal || /^[\d\s.,/:TZ+-]+$/.test(written);
	const [, day, month, year] = /^(\d\d?)\.(\d\d?)\.(\d{4})$/.exec(written) ?? [];
	const better = day && `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	const advice = `write ${better ?? 'a date like 2026-12-15 or 2026-12-15T18:00'}`;
	return `${isShown ? quoted(written) : 'this'} is not understood; ${advice}`;
}

function parsed(written: string): unknown {
	try {
		return JSON.parse(written);
	} catch {
		return fail('is not valid JSON');
	}
}

function within<T>(place: string, rule: Rule<T>, value: unknown): T {
	try {
		return rule(value);
	} catch (error) {
		return fail(`${place}: ${(error as Error).message}`);
	}
}

function fail(message: string): never {
	throw new ValidationError(message);
}

/** What was given, as far as a message has room for it. */
function quoted(text: string): string {
	return `'${inOneLine(text, 50)}'`;
}

/** A text in one line of at most `max` characters. */
export function inOneLine(text: string, max: number): string {
	const line = [
		...text
			.slice(0, 4 * max)
			.replace(/[\s\p{C}]+/gu, ' ')
			.trim(),
	];
	return line.length > max ? `${line.slice(0, max).join('')}…` : line.join('');
}

function kindOf(value: unknown): string {
	if (value === null || value === undefined) return 'nothing';
	if (Number.isNaN(value)) return 'something that is not a number';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'string') return 'text';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
