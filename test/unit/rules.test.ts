import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import {
	isoDate,
	deadline,
	deadlineDays,
	email,
	identifier,
	idOf,
	isEmpty,
	json,
	listOf,
	oneOf,
	object,
	personName,
	reference,
	ValidationError,
	string,
	trimmed,
	uuid,
	url,
	integer,
	boolean,
	type Rule,
} from '../../nodes/CandidateAssessment/parameters/rules';
import { charactersIn } from './specification';
import { anyCodeUnits, anything, anyText, dateContextAt, NOW } from './arbitraries';

const MEGABYTE = 2 ** 20;
const UUID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

/** The message of the rule that a value breaks. */
function refusal(rule: Rule<unknown>, value: unknown): string {
	try {
		rule(value);
	} catch (error) {
		expect(error).toBeInstanceOf(ValidationError);
		return (error as Error).message;
	}
	throw new Error('The rule lets it pass');
}

const WRONG_TYPES: Array<[string, unknown]> = [
	['nothing', null],
	['nothing', undefined],
	['something that is not a number', NaN],
	['a number', Infinity],
	['a number', -Infinity],
	['a boolean', true],
	['a bigint', 1n],
	['a symbol', Symbol('symbol')],
	['a function', () => 'text'],
	['a list', ['text']],
	['an object', { text: 'text' }],
	['an object', Object.create(null)],
	['an object', Object('text')],
	['an object', new Map()],
];

describe('A field', () => {
	it.each([[undefined], [null], [''], [' \t\n\u00a0\ufeff'], [{}], [[]], [Object.create(null)]])(
		'counts as left empty with %j',
		(value) => {
			expect(isEmpty(value)).toBe(true);
		},
	);

	it.each([
		[0],
		[NaN],
		[false],
		['0'],
		['.'],
		[[undefined]],
		[{ a: undefined }],
		[new Date(NaN)],
		[DateTime.invalid('on purpose')],
		[1n],
		[Symbol('symbol')],
		[() => undefined],
		[JSON.parse('{"__proto__":1}')],
	])('does not count as left empty with %p', (value) => {
		expect(isEmpty(value)).toBe(false);
	});
});

describe('A text', () => {
	it('is let through whatever its characters, blanks and control characters included', () => {
		fc.assert(
			fc.property(anyText({ maxLength: 300 }), (value) => {
				expect(string()(value)).toBe(value);
			}),
			{ numRuns: 1000 },
		);
	});

	it('is refused exactly when it has half of a broken character', () => {
		fc.assert(
			fc.property(anyCodeUnits, (value) => {
				// What UTF-8 cannot carry comes back as another character.
				const isWhole = Buffer.from(value, 'utf8').toString('utf8') === value;
				if (isWhole) expect(string()(value)).toBe(value);
				else expect(refusal(string(), value)).toBe('contains half of a broken character');
			}),
			{ numRuns: 2000 },
		);
	});

	it('is measured in characters, of which an emoji is one', () => {
		const upTo = fc.integer({ min: 1, max: 60 });
		fc.assert(
			fc.property(anyText({ maxLength: 70 }), upTo, (value, max) => {
				const length = charactersIn(value);
				if (length <= max) expect(string({ max })(value)).toBe(value);
				else {
					expect(refusal(string({ max }), value)).toBe(
						`${length} characters given, at most ${max} are allowed`,
					);
				}
			}),
			{ numRuns: 2000 },
		);
	});

	it.each([
		['letters', 'x'],
		['letters beyond ASCII', 'é'],
		['letters of two code units', '𝒳'],
		['emojis', '😀'],
	])('of %s may be as long as its limit and not one character longer', (_kind, letter) => {
		expect(string({ max: 50 })(letter.repeat(50))).toBe(letter.repeat(50));
		expect(refusal(string({ max: 50 }), letter.repeat(51))).toBe(
			'51 characters given, at most 50 are allowed',
		);
	});

	it('of a megabyte is measured, not choked on', () => {
		expect(string()('x'.repeat(MEGABYTE))).toHaveLength(MEGABYTE);
		expect(refusal(string({ max: 255 }), '😀'.repeat(MEGABYTE))).toBe(
			`${MEGABYTE} characters given, at most 255 are allowed`,
		);
	});

	it.each([
		[0, '0'],
		[-0, '0'],
		[4711, '4711'],
		[-1.5, '-1.5'],
		[Number.MAX_SAFE_INTEGER, '9007199254740991'],
	])('may be the number %p', (value, sent) => {
		expect(string({ max: 50 })(value)).toBe(sent);
	});

	it.each([1e19, 2 ** 53, -(2 ** 53), 1e21])(
		'cannot be the number %p, which several IDs become',
		(value) => {
			expect(refusal(string({ max: 50 }), value)).toBe(
				'the number is too long to be exact; it must be passed as text',
			);
		},
	);

	it('that is a number is measured as it is written', () => {
		expect(refusal(string({ max: 2 }), 123)).toBe('3 characters given, at most 2 are allowed');
	});

	it.each(WRONG_TYPES)('cannot be %s', (kind, value) => {
		expect(refusal(string({ max: 50 }), value)).toBe(`text is expected, got ${kind}`);
	});
});

describe('A text without what stands around it', () => {
	const rule = trimmed({ max: 5 });

	it('loses blanks and invisible characters at both ends, and none in between', () => {
		expect(rule('\ufeff\u200b a\u200d b \u2060\n')).toBe('a\u200d b');
		expect(rule(42)).toBe('42');
	});

	it('is measured without them', () => {
		expect(rule('  abcde\u200b\u200b')).toBe('abcde');
		expect(refusal(rule, ' abcdef')).toBe('6 characters given, at most 5 are allowed');
	});

	it.each(['', ' ', '\u200b', ' \u00ad\n'])('cannot be empty: %j', (value) => {
		expect(refusal(rule, value)).toBe('required, but empty');
	});

	it('of a megabyte is not choked on', () => {
		const long = `a${' '.repeat(MEGABYTE)}b${' '.repeat(MEGABYTE)}`;
		expect(trimmed()(long)).toHaveLength(MEGABYTE + 2);
	});
});

describe('An invisible character', () => {
	const invisible = ['\u200b', '\u200d', '\u200e', '\u2060', '\ufeff', '\u00ad', '\u{e0041}'];

	it.each(invisible)('around a UUID or an email address is dropped: %j', (character) => {
		const around = (text: string) => `${character} ${text}${character}`;
		expect(uuid(around(UUID))).toBe(UUID);
		expect(idOf('job')(around(UUID))).toBe(UUID);
		expect(email({ max: 255 })(around('a@b'))).toBe('a@b');
	});

	it.each(invisible)('inside one is refused, and named as what it is: %j', (character) => {
		const problem = /^contains an invisible character/;
		expect(refusal(uuid, UUID.replace('-', `${character}-`))).toMatch(problem);
		expect(refusal(idOf('job'), UUID.replace('-', `${character}-`))).toMatch(problem);
		expect(refusal(email({ max: 255 }), `a${character}@b`)).toMatch(problem);
	});
});

describe('What an expression writes where a value is missing', () => {
	const problem = (word: string) =>
		`contains '${word}', which an expression gives where a value is missing`;
	const rules = { reference: reference(), email: email({ max: 255 }), name: personName() };

	it.each(['undefined', 'NaN', '[object Object]'])(
		'is no part of what tells people apart: %s',
		(word) => {
			expect(refusal(rules.reference, `APP-${word}`)).toBe(problem(word));
			expect(refusal(rules.reference, word)).toBe(problem(word));
			expect(refusal(rules.name, `Anna ${word}`)).toBe(problem(word));
			expect(refusal(rules.email, `${word}@example.com`)).toBe(problem(word));
		},
	);

	it('may be null, which is a name of people, but not a reference', () => {
		expect(refusal(rules.reference, 'APP-null')).toBe(problem('null'));
		expect(rules.name('Null null')).toBe('Null null');
		expect(rules.email('a.null@example.com')).toBe('a.null@example.com');
	});

	it('is a word by itself', () => {
		for (const text of ['Undefined', 'undefinedly', 'NaNcy', 'nullable', 'ANNULL', 'BANANA-1']) {
			expect(rules.reference(text)).toBe(text);
		}
	});
});

describe('An identifier', () => {
	it('loses the blanks around it and nothing else', () => {
		expect(identifier(' \tin v/1\n')).toBe('in v/1');
		expect(identifier(42)).toBe('42');
	});

	it.each(['.', '..', ' .. ', '\n.\t'])('cannot be %j, which would lead elsewhere', (value) => {
		expect(refusal(identifier, value)).toBe('"." and ".." are not identifiers');
	});

	it.each(['...', '.a', 'a..', '%2e', '. .'])('can be %j', (value) => {
		expect(identifier(value)).toBe(value);
	});

	it.each(['', '  ', '\n'])('cannot be empty: %j', (value) => {
		expect(refusal(identifier, value)).toBe('required, but empty');
	});
});

describe('A UUID', () => {
	it.each([
		UUID,
		UUID.toUpperCase(),
		'00000000-0000-0000-0000-000000000000',
		'ffffffff-ffff-ffff-ffff-ffffffffffff',
	])('can be %s', (value) => {
		expect(uuid(` ${value}\n`)).toBe(value);
	});

	it.each([
		['one digit short', UUID.slice(1)],
		['one digit long', `${UUID}0`],
		['without hyphens', UUID.replaceAll('-', '')],
		['with a hyphen moved', '3f2b8c1e9-d4a-4e6b-8a7c-5d1e2f3a4b5c'],
		['with a letter beyond f', UUID.replace('f', 'g')],
		['in braces', `{${UUID}}`],
		['as a URN', `urn:uuid:${UUID}`],
		['twice', `${UUID}\n${UUID}`],
		['with a full-width digit', UUID.replace('3', '３')],
		['with a blank inside', UUID.replace('-', '- ')],
		['with a path behind it', `${UUID}/status`],
	])('is refused when it comes %s', (_case, value) => {
		expect(refusal(uuid, value)).toMatch(/^a UUID is expected, such as /);
	});
});

describe('An ID of the service', () => {
	it('is a UUID, and what is none is shown under its name', () => {
		expect(idOf('job')(` ${UUID}\n`)).toBe(UUID);
		expect(refusal(idOf('job'), 'Senior Data Analyst')).toBe(
			`'Senior Data Analyst' is not a job ID, which looks like ${UUID}`,
		);
		expect(refusal(idOf('job'), ' ')).toBe('required, but empty');
	});
});

describe('A web address', () => {
	it.each([
		'https://hr.example.com',
		'http://hr.example.com:8080/a/b?c=d#e',
		'HTTPS://HR.EXAMPLE.COM/',
		'https://user:word@hr.example.com/',
		'http://127.0.0.1/',
		'https://[2001:db8::1]/hook',
		'https://例え.example/パス',
		'https://hr.example.com/%20',
	])('can be %s', (value) => {
		expect(url(` ${value}\n`)).toBe(value);
	});

	it.each([
		'hr.example.com',
		'/hook',
		'//hr.example.com/hook',
		'ftp://hr.example.com/hook',
		'javascript:alert(1)',
		'data:text/html,x',
		'file:///hook',
		'https:',
		'https://',
		'https:hr.example.com',
		'https:/hr.example.com',
		'https:///hr.example.com',
		'https:\\\\hr.example.com',
		'https://hr.example.com\\hook',
		'https://hr example.com/',
		'https://hr.example.com/a hook',
		'https://hr.example.com/a\nhook',
		'https://hr.example\t.com/',
		'\0https://hr.example.com/',
		'https://hr.example.com/\x7f',
		'https://hr.example.com/{id}',
		'https://hr.example.com:99999/',
		'https://[::1/',
		'{{ $json.url }}',
	])('cannot be %j', (value) => {
		expect(refusal(url, value)).toMatch(/^a full web address is expected/);
	});

	it('of a megabyte is refused or let through, but not choked on', () => {
		const address = `https://hr.example.com/${'a'.repeat(MEGABYTE)}`;
		expect(url(address)).toBe(address);
		expect(refusal(url, `${address} `.repeat(2))).toMatch(/^a full web address/);
	});
});

describe('Yes or no', () => {
	it.each<[unknown, boolean]>([
		[true, true],
		[false, false],
		['true', true],
		['FALSE', false],
		[' True\n', true],
	])('can be %j', (value, sent) => {
		expect(boolean(value)).toBe(sent);
	});

	it.each<[unknown, string]>([
		['yes', 'text'],
		['1', 'text'],
		['', 'text'],
		[1, 'a number'],
		[0, 'a number'],
		[NaN, 'something that is not a number'],
		[null, 'nothing'],
		[[true], 'a list'],
		[{}, 'an object'],
		[Object(true), 'an object'],
	])('cannot be %p', (value, kind) => {
		expect(refusal(boolean, value)).toBe(`true or false is expected, got ${kind}`);
	});
});

describe('A whole number', () => {
	const rule = integer({ min: 1, max: 100 });

	it.each<[unknown, number]>([
		[1, 1],
		[100, 100],
		['1', 1],
		[' 100 ', 100],
		['1e2', 100],
	])('within its limits can be %j', (value, params) => {
		expect(rule(value)).toBe(params);
	});

	it.each([
		0,
		101,
		1.5,
		-1,
		NaN,
		Infinity,
		'0',
		'101',
		'1.5',
		'',
		'many',
		'1,000',
		null,
		undefined,
		true,
		[5],
		{},
		5n,
	])('cannot be %p', (value) => {
		expect(refusal(rule, value)).toBe('must be a whole number from 1 to 100');
	});

	it('is within its limits whatever comes in', () => {
		fc.assert(
			fc.property(anything, (value) => {
				try {
					const params = rule(value);
					expect(Number.isInteger(params) && params >= 1 && params <= 100).toBe(true);
				} catch (error) {
					expect(error).toBeInstanceOf(ValidationError);
				}
			}),
			{ numRuns: 500 },
		);
	});
});

describe('One of the fixed words', () => {
	const rule = oneOf('active', 'inactive');

	it.each(['active', 'inactive'] as const)('can be "%s"', (word) => {
		expect(rule(word)).toBe(word);
	});

	it.each(['Active', ' active', 'activ', '', 'constructor', 0, null, ['active'], Object('active')])(
		'cannot be %p',
		(value) => {
			expect(refusal(rule, value)).toBe('must be one of: active, inactive');
		},
	);
});

describe('A list', () => {
	it('may have its most entries and not one more', () => {
		const rule = listOf(string(), { max: 3 });
		expect(rule(['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
		expect(refusal(rule, ['a', 'b', 'c', 'd'])).toBe('4 given, at most 3 are allowed');
	});

	it('says which entry is wrong, counting from 1', () => {
		expect(refusal(listOf(listOf(string())), [['a'], ['b', 5n]])).toBe(
			'entry 2: entry 2: text is expected, got a bigint',
		);
	});

	it('has no holes', () => {
		const withHole = ['a', , 'c']; // eslint-disable-line no-sparse-arrays
		expect(refusal(listOf(string()), withHole)).toBe('entry 2: text is expected, got nothing');
	});

	it.each<[unknown, string]>([
		['a', 'text'],
		[{ length: 1, 0: 'a' }, 'an object'],
		[new Set(['a']), 'an object'],
		[new Uint8Array(2), 'an object'],
		[null, 'nothing'],
	])('cannot be %p', (value, kind) => {
		expect(refusal(listOf(string()), value)).toBe(`a list is expected, got ${kind}`);
	});
});

describe('A record', () => {
	const rule = object({ name: string({ max: 5 }), is_current: boolean });

	it('drops what was left empty and checks the rest', () => {
		expect(rule({ name: 'SQL', is_current: '' })).toEqual({ name: 'SQL' });
		expect(rule({ name: null, is_current: 'false' })).toEqual({ is_current: false });
		expect(refusal(rule, { name: 'Python' })).toBe(
			'name: 6 characters given, at most 5 are allowed',
		);
	});

	it.each([{}, { name: '' }, { name: null, other: {} }])(
		'with nothing in it is refused: %j',
		(value) => {
			expect(refusal(rule, value)).toBe('is empty');
		},
	);

	it.each([
		'{"name":"SQL","level":1}',
		'{"name":"SQL","__proto__":{"is_current":true}}',
		'{"name":"SQL","constructor":1}',
		'{"name":"SQL","toString":"x"}',
		'{"name":"SQL","NAME":"x"}',
		'{"name":"SQL","name ":"x"}',
	])('with an unknown field is refused: %s', (written) => {
		expect(refusal(rule, JSON.parse(written))).toMatch(
			/^unknown field '\w+'; the fields are name, is_current$/,
		);
	});

	it('takes nothing from a prototype', () => {
		expect(refusal(rule, Object.create({ name: 'SQL' }))).toBe('is empty');
		expect(rule(Object.assign(Object.create({ is_current: true }), { name: 'SQL' }))).toEqual({
			name: 'SQL',
		});
	});

	it.each<[unknown, string]>([
		['SQL', 'text'],
		[['SQL'], 'a list'],
		[null, 'nothing'],
		[undefined, 'nothing'],
		[5, 'a number'],
	])('cannot be %j', (value, kind) => {
		expect(refusal(rule, value)).toBe(`an object is expected, got ${kind}`);
	});

	it('has only known fields, of its own, whatever comes in', () => {
		fc.assert(
			fc.property(
				fc.oneof(anything, fc.dictionary(fc.constantFrom('name', 'is_current'), anything)),
				(value) => {
					try {
						const params = rule(value);
						expect(Object.getPrototypeOf(params)).toBe(Object.prototype);
						expect(['name', 'is_current']).toEqual(expect.arrayContaining(Object.keys(params)));
					} catch (error) {
						expect(error).toBeInstanceOf(ValidationError);
					}
				},
			),
			{ numRuns: 1000 },
		);
	});
});

describe('JSON', () => {
	it('is a list or the text of one', () => {
		const rule = json(listOf(string()));
		expect(rule('["a"]')).toEqual(['a']);
		expect(rule(['a'])).toEqual(['a']);
		expect(refusal(rule, '"a"')).toBe('a list is expected, got text');
		expect(refusal(rule, 'null')).toBe('a list is expected, got nothing');
	});

	it.each(['[', "['a']", '[a]', '["a"],', 'undefined', 'NaN', '', '['.repeat(MEGABYTE)])(
		'that is none is refused: %#',
		(written) => {
			expect(refusal(json(listOf(string())), written)).toBe('is not valid JSON');
		},
	);
});

describe('An email address', () => {
	const rule = email({ max: 255 });

	it.each([
		'a@b',
		'nathan@example.com',
		"o'neil+jobs@sub.example.co.uk",
		'ä@例え.example',
		'"x"@y',
	])('can be %s, and loses the blanks around it', (address) => {
		expect(rule(address)).toBe(address);
		expect(rule(` \t${address}\n\u00a0`)).toBe(address);
	});

	it.each([
		'Nathan',
		'@',
		'a@',
		'@b',
		'a@b@c',
		'a@@b',
		'a b@c',
		'a@b c',
		'a@b\u00a0c',
		'a@b\nc',
		'a@b, c@d',
		'nathan(at)example.com',
	])('cannot be %j', (address) => {
		expect(refusal(rule, address)).toBe(
			'an email address is expected: one @, something before and after it, and no spaces',
		);
	});

	it('is measured without the blanks around it', () => {
		expect(rule(` a@${'b'.repeat(253)} `)).toHaveLength(255);
		expect(refusal(rule, `a@${'b'.repeat(254)}`)).toBe(
			'256 characters given, at most 255 are allowed',
		);
	});
});

describe('A deadline', () => {
	const at = (now: string, timezone = 'Europe/Berlin') => deadline(dateContextAt(now, timezone));
	const past = / is in the past$/;
	const tooLate = / is more than 3 months from today; the last day is \d{4}-\d\d-\d\d$/;
	const notUnderstood = / is not understood; write a date like 2026-12-15 or 2026-12-15T18:00$/;

	it.each([
		['a second from now', NOW, '2026-11-20T09:30:01Z'],
		['tomorrow', NOW, '2026-11-21T09:30:00Z'],
		['exactly 3 months from now', NOW, '2027-02-20T09:30:00Z'],
		['at the end of the day 3 months from now, in UTC', NOW, '2027-02-20T23:59:59Z'],
		['the last day of February, from November 30', '2026-11-30T12:00:00Z', '2027-02-28T23:59:59Z'],
		[
			'February 29 of a leap year, from November 30',
			'2027-11-30T12:00:00Z',
			'2028-02-29T12:00:00Z',
		],
		['April 30, from January 31', '2027-01-31T12:00:00Z', '2027-04-30T12:00:00Z'],
		['across the end of a year', '2026-12-31T22:59:59Z', '2027-03-31T23:59:59Z'],
		['the second that has just begun', '2026-11-20T09:30:00.999Z', '2026-11-20T09:30:01Z'],
	])('may be %s', (_when, now, due) => {
		expect(at(now)(due)).toBe(due);
	});

	it.each([
		['now', NOW, NOW, past],
		['a second ago', NOW, '2026-11-20T09:29:59Z', past],
		['later in the second that it is', '2026-11-20T09:30:00.1Z', '2026-11-20T09:30:00.9Z', past],
		['yesterday', NOW, '2026-11-19', past],
		['years ago', NOW, '1970-01-01', past],
		['a second beyond the last day', NOW, '2027-02-21T00:00:00Z', tooLate],
		['the day after the last one', NOW, '2027-02-21', tooLate],
		['March 1, from November 30', '2026-11-30T12:00:00Z', '2027-03-01T00:00:00Z', tooLate],
		['May 1, from January 31', '2027-01-31T12:00:00Z', '2027-05-01T00:00:00Z', tooLate],
		['thousands of years away', NOW, '9999-12-31T23:59:59Z', tooLate],
		['beyond what a date can be', NOW, '+275760-09-14T00:00:00Z', notUnderstood],
	])('may not be %s', (_when, now, due, problem) => {
		expect(refusal(at(now), due)).toMatch(problem);
	});

	it.each([
		['ends later in the west', NOW, 'America/New_York', '2027-02-21T04:59:59Z'],
		['ends later in UTC than in the east', NOW, 'Asia/Tokyo', '2027-02-20T23:59:59Z'],
		['is a day ahead', '2026-11-20T20:00:00Z', 'Pacific/Kiritimati', '2027-02-21T09:59:59Z'],
		['is the same as in UTC', NOW, 'UTC', '2027-02-20T23:59:59Z'],
	])('may be the whole of a last day that %s', (_case, now, zone, latest) => {
		expect(at(now, zone)(latest)).toBe(latest);
		const late = new Date(Date.parse(latest) + 1000).toISOString();
		expect(refusal(at(now, zone), late)).toMatch(tooLate);
	});

	it('may be 3 months from any moment, as the clocks of any zone count them', () => {
		const zones = fc.constantFrom(
			'Europe/Berlin',
			'America/New_York',
			'Australia/Lord_Howe',
			'Africa/Casablanca',
			'Pacific/Kiritimati',
			'Pacific/Pago_Pago',
		);
		const moments = fc.date({
			min: new Date('2024-01-01'),
			max: new Date('2036-12-31'),
			noInvalidDate: true,
		});
		fc.assert(
			fc.property(moments, zones, (moment, zone) => {
				const now = DateTime.fromJSDate(moment, { zone });
				const due = now.plus({ months: 3 });
				expect(Date.parse(deadline({ now, timezone: zone })(due))).toBe(
					due.startOf('second').toMillis(),
				);
			}),
			{ numRuns: 1000 },
		);
	});

	it('is held against the time at which it is checked, not the time at which the batch began', () => {
		const clock = { now: DateTime.fromISO('2026-11-20T23:59:58Z'), timezone: 'UTC' };
		const rule = deadline(clock);
		clock.now = clock.now.plus({ seconds: 5 });
		expect(rule(clock.now.plus({ months: 3 }))).toBe('2027-02-21T00:00:03Z');
	});

	it.each([
		['in winter', '2026-12-24T18:00:00', 'Europe/Berlin', '2026-12-24T17:00:00Z'],
		[
			'on the other side of the earth',
			'2026-12-24T18:00:00',
			'Pacific/Auckland',
			'2026-12-24T05:00:00Z',
		],
		['at half an hour', '2026-12-24T18:00', 'Asia/Kolkata', '2026-12-24T12:30:00Z'],
		[
			'with a blank instead of the T',
			'2026-12-24 18:00:00',
			'Europe/Berlin',
			'2026-12-24T17:00:00Z',
		],
		['with blanks around it', ' 2026-12-24T18:00\n', 'America/New_York', '2026-12-24T23:00:00Z'],
		['a second after midnight', '2026-12-24T00:00:01', 'Europe/Berlin', '2026-12-23T23:00:01Z'],
	])("without a zone is in the workflow's, %s", (_case, written, zone, due) => {
		expect(at(NOW, zone)(written)).toBe(due);
	});

	it.each([
		['2026-12-24', 'Europe/Berlin', '2026-12-24T22:59:59Z'],
		['2026-12-24', 'Pacific/Auckland', '2026-12-24T10:59:59Z'],
		[' 2026-12-24 ', 'America/New_York', '2026-12-25T04:59:59Z'],
		['2026-12-24T00:00:00', 'Europe/Berlin', '2026-12-24T22:59:59Z'],
		['2026-12-24T00:00', 'Europe/Berlin', '2026-12-24T22:59:59Z'],
		['2026-12-24 00:00:00.000', 'Europe/Berlin', '2026-12-24T22:59:59Z'],
		['2026-11-20', 'Europe/Berlin', '2026-11-20T22:59:59Z'],
		['2027-02-20', 'America/New_York', '2027-02-21T04:59:59Z'],
	])('without a time of day means the end of that day: %s in %s', (written, zone, due) => {
		expect(at(NOW, zone)(written)).toBe(due);
	});

	it.each([
		['2026-12-24T00:00:00Z', '2026-12-24T00:00:00Z'],
		['2026-12-24T00:00:00.000+01:00', '2026-12-23T23:00:00Z'],
		[DateTime.fromISO('2026-12-24T00:00:00+01:00'), '2026-12-23T23:00:00Z'],
	])('at a midnight that has a zone means that midnight: %s', (written, due) => {
		expect(at(NOW)(written)).toBe(due);
	});

	it.each([
		['before the clocks go forward', '2027-03-28T01:59:59', '2027-03-28T00:59:59Z'],
		['in the hour that is left out', '2027-03-28T02:30:00', '2027-03-28T01:30:00Z'],
		['after the clocks went forward', '2027-03-28T03:00:00', '2027-03-28T01:00:00Z'],
		['at the end of the shorter day', '2027-03-28', '2027-03-28T21:59:59Z'],
	])('%s means what the clock on the wall says', (_case, written, due) => {
		expect(at('2027-03-01T00:00:00Z')(written)).toBe(due);
	});

	it('in the hour that comes twice is one of the two', () => {
		expect(at('2026-10-01T00:00:00Z')('2026-10-25T02:30:00')).toMatch(/^2026-10-25T0[01]:30:00Z$/);
	});

	it.each([
		['2026-12-24T18:00:00Z', '2026-12-24T18:00:00Z'],
		['2026-12-24T18:00:00+05:30', '2026-12-24T12:30:00Z'],
		['2026-12-24T18:00:00.999-0800', '2026-12-25T02:00:00Z'],
		['2026-12-24 18:00:00+01:00', '2026-12-24T17:00:00Z'],
	])('with an offset of its own is taken at its word: %s', (written, due) => {
		expect(at(NOW, 'Pacific/Auckland')(written)).toBe(due);
	});

	it.each([
		['a DateTime', DateTime.fromISO('2026-12-24T18:00:00', { zone: 'America/New_York' })],
		['a JavaScript date', new Date('2026-12-24T23:00:00Z')],
	])('can be %s', (_kind, value) => {
		expect(at(NOW)(value)).toBe('2026-12-24T23:00:00Z');
	});

	it.each([
		'soon',
		'tomorrow',
		'18:00',
		'T18:00',
		'12/24/2026',
		'2026',
		'2026-12',
		'20261224',
		'2026-W52-4',
		'1798135200000',
		'2026-13-01',
		'2026-02-30',
		'2026-12-24T25:00',
		'2026-12-24T18:00 or later',
		'2026-12-24; DROP TABLE',
		'२०२६-१२-२४',
	])('cannot be %p, which is shown', (value) => {
		expect(refusal(at(NOW), value)).toBe(
			`'${value}' is not understood; write a date like 2026-12-15 or 2026-12-15T18:00`,
		);
	});

	it.each([
		['15.12.2026', '2026-12-15'],
		['1.2.2027', '2027-02-01'],
	])('in German order is answered with the right one: %s', (value, better) => {
		expect(refusal(at(NOW), value)).toBe(`'${value}' is not understood; write ${better}`);
	});

	it.each([new Date(NaN), DateTime.invalid('on purpose')])('cannot be the invalid %p', (value) => {
		expect(refusal(at(NOW), value)).toBe('is not a valid date');
	});

	it.each<[unknown, string]>([
		[1798135200000, 'a number'],
		[NaN, 'something that is not a number'],
		[['2026-12-24'], 'a list'],
		[{ year: 2026 }, 'an object'],
		[true, 'a boolean'],
		[null, 'nothing'],
	])('cannot be %j, which is no date', (value, kind) => {
		expect(refusal(at(NOW), value)).toBe(`a date is expected, got ${kind}`);
	});

	it('of a megabyte is refused, not choked on', () => {
		expect(refusal(at(NOW), '2026-12-24'.repeat(MEGABYTE / 10))).toMatch(/…' is not understood/);
		expect(refusal(at(NOW), `2026-12-24T18:00${'0'.repeat(MEGABYTE)}`)).toMatch(
			/…' is not understood/,
		);
	});

	it.each(['Mars/Olympus_Mons', ''])(
		'is refused where the time zone of the workflow, %j, is none, whatever the date',
		(timezone) => {
			const context = { now: DateTime.fromISO(NOW), timezone };
			const problem = `the workflow's time zone, '${timezone}', does not exist; choose another in the workflow's settings`;
			expect(refusal(deadline(context), '2026-12-24T18:00:00Z')).toBe(problem);
			expect(refusal(deadlineDays(context), 5)).toBe(problem);
		},
	);
});

describe('A deadline in days', () => {
	const at = (now: string, timezone = 'Europe/Berlin') =>
		deadlineDays(dateContextAt(now, timezone));

	it.each([
		[1, NOW, 'Europe/Berlin', '2026-11-21T22:59:59Z'],
		['7', NOW, 'Europe/Berlin', '2026-11-27T22:59:59Z'],
		[1, '2026-11-20T23:30:00Z', 'Europe/Berlin', '2026-11-22T22:59:59Z'],
		[1, '2026-11-20T23:30:00Z', 'America/New_York', '2026-11-22T04:59:59Z'],
		[1, '2027-03-27T12:00:00Z', 'Europe/Berlin', '2027-03-28T21:59:59Z'],
		[92, NOW, 'Europe/Berlin', '2027-02-20T22:59:59Z'],
	])('of %p is the end of that day: from %s in %s', (days, now, zone, due) => {
		expect(at(now, zone)(days)).toBe(due);
	});

	it('may not be beyond 3 months, which have fewer days where February is among them', () => {
		expect(at('2027-01-31T12:00:00Z')(89)).toBe('2027-04-30T21:59:59Z');
		expect(refusal(at('2027-01-31T12:00:00Z'), 90)).toBe(
			'90 days from now is more than 3 months from today; the last day is 2027-04-30',
		);
	});
});

describe('A calendar day', () => {
	it.each<[unknown, string]>([
		['2026-03-31', '2026-03-31'],
		[' 2026-03-31\n', '2026-03-31'],
		['2026-03-31T00:00:00', '2026-03-31'],
		['2026-03-31T23:59:59', '2026-03-31'],
		['2026-03-31 18:00', '2026-03-31'],
		['2020-01-01T00:00:00.000Z', '2020-01-01'],
		['2020-01-01T23:30:00-05:00', '2020-01-01'],
		['2020-01-01T00:30:00+14:00', '2020-01-01'],
		['2028-02-29', '2028-02-29'],
		['0000-01-01', '0000-01-01'],
		['9999-12-31', '9999-12-31'],
		['9999-12-31T23:30:00-12:00', '9999-12-31'],
		['1900-01-01', '1900-01-01'],
	])('is the day that was written: %p', (value, sent) => {
		expect(isoDate(value)).toBe(sent);
	});

	it('of a DateTime is the day that it shows', () => {
		const late = DateTime.fromISO('2026-03-31T23:30:00', { zone: 'America/New_York' });
		expect(isoDate(late)).toBe('2026-03-31');
		expect(isoDate(late.toUTC())).toBe('2026-04-01');
	});

	it('of a JavaScript date is the day that n8n writes it with', () => {
		const date = new Date('2020-01-01');
		expect(isoDate(date)).toBe('2020-01-01');
		expect(isoDate(JSON.parse(JSON.stringify(date)))).toBe('2020-01-01');
	});

	it.each<[string, unknown, string]>([
		['February 29 of a year without one', '2027-02-29', "'2027-02-29' is not understood; write a"],
		['a month alone', '2026-03', "'2026-03' is not understood; write a date like 2026-12-15"],
		['another order', '15.12.2020', "'15.12.2020' is not understood; write 2020-12-15"],
		['a year alone', 2026, 'a date is expected, got a number'],
		['words, which may be personal', 'Nathan', 'this is not understood; write a date like'],
		['nothing', null, 'a date is expected, got nothing'],
		['a date that is none', new Date(NaN), 'is not a valid date'],
	])('cannot be %s', (_case, value, problem) => {
		expect(refusal(isoDate, value).startsWith(problem)).toBe(true);
	});

	it.each([
		['before the year 0', new Date('-000001-06-01T00:00:00Z')],
		['beyond the year 9999', new Date('+010000-06-01T00:00:00Z')],
		['beyond it in its own zone only', DateTime.fromISO('9999-12-31T23:30Z', { zone: 'UTC+2' })],
	])('cannot be %s, which would not be YYYY-MM-DD', (_case, value) => {
		expect(refusal(isoDate, value)).toBe('a year of four digits is expected');
	});
});
