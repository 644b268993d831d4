import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

/**
 * The field rules of the specification (sections "Endpoints" and "Limits"), each a pure function:
 * what the user entered goes in, what is sent comes out. A value that does not meet its rule
 * throws `RuleBroken`, whose message says the rule and the value's measure, never the value.
 */
export type Rule<T> = (value: unknown) => T;

/** The message completes a sentence that starts with the field's name: "Skills: 17 given, at most …". */
export class ValidationError extends Error {}

/** When and where a date is read: dates without a zone are in the workflow's time zone. */
export interface DateContext {
	now: DateTime;
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
		const params = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
		if (typeof params !== 'string')
			throw new ValidationError(`a text is expected, got ${kindOf(value)}`);
		if (/\p{Surrogate}/u.test(params))
			throw new ValidationError('contains half of a broken character');
		// A character is one or two code units: only the texts in between need counting.
		if (params.length > max) {
			const length = [...params].length;
			if (length > max) {
				throw new ValidationError(`${length} characters given, at most ${max} are allowed`);
			}
		}
		return params;
	};
}

/** An identifier as it stands in an address; blanks around a pasted one are dropped. */
export const identifier: Rule<string> = (value) => {
	const id = string()(value).trim();
	if (id === '') throw new ValidationError('required, but empty');
	// Even percent-encoded, an address with one of these leads somewhere else.
	if (id === '.' || id === '..') throw new ValidationError('"." and ".." are not identifiers');
	return id;
};

export const uuid: Rule<string> = (value) => {
	const id = identifier(value);
	if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
		throw new ValidationError(
			'a UUID is expected, such as 3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c (8-4-4-4-12 hexadecimal digits)',
		);
	}
	return id;
};

/** An absolute web address (http or https). */
export const url: Rule<string> = (value) => {
	const address = string()(value).trim();
	// What no address may hold, the parser drops or replaces, but it would be sent as it is.
	const isPlain = /^https?:\/\/(?!\/)[^\s\p{Cc}"<>\\^`{|}]+$/iu.test(address);
	if (!isPlain || !URL.canParse(address)) {
		throw new ValidationError(
			'a full web address is expected, such as https://hr.example.com/hook',
		);
	}
	return address;
};

/** Yes or no; also as the words true and false, which is how spreadsheets deliver them. */
export const boolean: Rule<boolean> = (value) => {
	if (typeof value === 'boolean') return value;
	const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
	if (word === 'true' || word === 'false') return word === 'true';
	throw new ValidationError(`true or false is expected, got ${kindOf(value)}`);
};

export function integer({ min, max }: { min: number; max: number }): Rule<number> {
	return (value) => {
		const params = typeof value === 'string' ? Number(value) : value;
		if (!Number.isInteger(params) || (params as number) < min || (params as number) > max) {
			throw new ValidationError(`must be a whole number from ${min} to ${max}`);
		}
		return params as number;
	};
}

/** One of the specification's fixed words, exactly as it writes them. */
export function oneOf<T extends string>(...words: readonly T[]): Rule<T> {
	return (value) => {
		const word = words.find((candidate) => candidate === value);
		if (word === undefined) throw new ValidationError(`must be one of: ${words.join(', ')}`);
		return word;
	};
}

/** A list in which every entry meets the rule; the message counts entries from 1. */
export function listOf<T>(rule: Rule<T>, { max = Infinity }: { max?: number } = {}): Rule<T[]> {
	return (value) => {
		if (!Array.isArray(value))
			throw new ValidationError(`a list is expected, got ${kindOf(value)}`);
		if (value.length > max) {
			throw new ValidationError(`${value.length} given, at most ${max} are allowed`);
		}
		return Array.from(value, (entry, index) => within(`entry ${index + 1}`, rule, entry));
	};
}

/** An object of which every field meets its rule. Fields left empty are dropped, unknown ones refused. */
export function object(rules: Record<string, Rule<IDataObject[string]>>): Rule<IDataObject> {
	const known = Object.keys(rules);
	return (value) => {
		if (typeof value !== 'object' || value === null || Array.isArray(value)) {
			throw new ValidationError(`an object is expected, got ${kindOf(value)}`);
		}
		const params = Object.entries(value).filter(([, field]) => !isEmpty(field));
		if (params.length === 0) throw new ValidationError('is empty');
		return Object.fromEntries(
			params.map(([name, field]) => {
				if (!known.includes(name)) {
					throw new ValidationError(`has an unknown field; known are: ${known.join(', ')}`);
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
 * The invitation deadline: in the future, at most 3 calendar months from now.
 * Sent as a UTC date-time in ISO 8601, to the second.
 */
export function deadline({ now, timezone }: DateContext): Rule<string> {
	return (value) => {
		const due = dateTime(value, timezone).toUTC().startOf('second');
		if (due <= now) throw new ValidationError('must be in the future');
		if (due > now.toUTC().plus({ months: 3 })) {
			throw new ValidationError('must be within 3 months from now');
		}
		return due.toISO({ suppressMilliseconds: true });
	};
}

/** A calendar day, sent as YYYY-MM-DD. */
export function isoDate({ timezone }: DateContext): Rule<string> {
	return (value) => {
		const day = dateTime(value, timezone);
		// Beyond these years ISO 8601 writes six digits and a sign, which is not YYYY-MM-DD.
		if (day.year < 0 || day.year > 9999)
			throw new ValidationError('a year of four digits is expected');
		return day.toISODate();
	};
}

const NOT_A_DATE = 'is not a date, such as 2026-03-31 or 2026-03-31T18:00';

function dateTime(value: unknown, zone: string): DateTime<true> {
	if (DateTime.isDateTime(value)) return valid(value.setZone(zone));
	if (value instanceof Date) return valid(DateTime.fromJSDate(value, { zone }));
	if (typeof value !== 'string')
		throw new ValidationError(`a date is expected, got ${kindOf(value)}`);
	const written = value.trim();
	// Luxon also reads a mere time of day, as today's.
	if (!/^\d{4}-\d\d-\d\d/.test(written)) throw new ValidationError(NOT_A_DATE);
	const iso = DateTime.fromISO(written, { zone });
	return valid(iso.isValid ? iso : DateTime.fromSQL(written, { zone }));
}

function valid(date: DateTime): DateTime<true> {
	if (!date.isValid) throw new ValidationError(NOT_A_DATE);
	return date as DateTime<true>;
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

function kindOf(value: unknown): string {
	if (value === null || value === undefined) return 'nothing';
	if (Number.isNaN(value)) return 'something that is not a number';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'string') return 'a text';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
