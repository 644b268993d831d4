import { DateTime } from 'luxon';
import {
	email,
	identifier,
	idOf,
	isEmpty,
	json,
	listOf,
	object,
	externalId,
	string,
	url,
	integer,
	boolean,
	type Rule,
} from '../../nodes/CandidateAssessment/parameters/rules';
import { refusal } from './support/arbitraries';

const UUID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

it('a field counts as left empty without a value, a letter or an entry', () => {
	const unseen = [
		' \t\n\u00a0\ufeff',
		'\u200b',
		'\u00ad \u001d\x85',
		'\u3164',
		'\u2800\ufe0f\ufffb',
	];
	for (const value of [undefined, null, '', ...unseen, {}, [], Object.create(null)]) {
		expect([value, isEmpty(value)]).toEqual([value, true]);
	}
	const objects = [[undefined], new Date(NaN), DateTime.invalid('test')];
	for (const value of [0, NaN, false, '0', '\u0600', 'ﬁ', ...objects]) {
		expect([value, isEmpty(value)]).toEqual([value, false]);
	}
});

const rules = [idOf('job'), email({ max: 255 }), externalId(), identifier];
const values = [UUID, 'a@b.de', 'APP-1', 'inv-1'];

it.each([
	...['\u200b', '\u200d', '\u200e', '\u2060', '\ufeff', '\u00ad', '\u{e0041}', '\0', '\u001d'],
	// A variation selector, Hangul fillers, a joiner, a blank Braille pattern, and an annotation anchor.
	...['\ufe0f', '\u{e0100}', '\u3164', '\u115f', '\uffa0', '\u034f', '\u2800', '\u180e', '\ufff9'],
])('an invisible character in an ID, a reference or an email is dropped: %j', (character) => {
	rules.forEach((rule, index) => {
		const value = values[index];
		expect(rule(`${character} ${value}${character}`)).toBe(value);
		expect(rule(value[0] + character + value.slice(1))).toBe(value);
	});
});

const list = listOf(string(), { max: 2 });
const skill = object({ name: string({ max: 5 }), is_current: boolean });
const whole = integer({ min: 1, max: 100 });

/** Entered values and what is sent for them. The tests of the operations generate most of these. */
it.each<[string, Rule<unknown>, ...Array<[value: unknown, sent: unknown]>]>([
	['text', string({ max: 50 }), [-1.5, '-1.5'], ['😀'.repeat(50), '😀'.repeat(50)]],
	['text', string(), [Number.MAX_SAFE_INTEGER, '9007199254740991'], [' \0\t', '\0']],
	// An accent may be typed as a separate character.
	['reference', externalId({ max: 3 }), ['Zoe\u0308', 'Zo\u00eb'], [42, '42']],
	['email', email({ max: 255 }), ['Zoe\u0308@例え.example', 'Zo\u00eb@例え.example']],
	['identifier', identifier, [' \tin v-1\n', 'in v-1'], ['..a', '..a'], ['a.%', 'a.%'], [42, '42']],
	['web address', url, [' https://例え.example/パス\n', 'https://例え.example/パス']],
	['web address', url, ['https://[2001:db8::1]/hook', 'https://[2001:db8::1]/hook']],
	['yes or no', boolean, [true, true], ['FALSE', false], [' True\n', true]],
	['whole number', whole, [1, 1], [' 100 ', 100], ['007', 7], ['5.0', 5]],
	['record', skill, [{ name: null, is_current: 'false' }, { is_current: false }]],
	['JSON field', json(list), ['["a"]', ['a']], [['a'], ['a']]],
])('a %s takes what spreadsheets and expressions give', (_name, rule, ...pairs) => {
	for (const [value, sent] of pairs) expect(rule(value)).toEqual(sent);
});

const NOT_A_JOB_ID = `not a job ID. It should look like ${UUID}`;
const NOT_A_URL = 'expected a full web address, such as https://hr.example.com/hook';
const ELSEWHERE =
	'contains a slash, a backslash, or nothing but dots. Enter only the code, or the whole link';
const ESCAPED = (escape: string) =>
	`contains '${escape}', a link's code. Replace it with the character it stands for`;
const TOO_LONG = 'this number has too many digits. Format it as text at its source';
const DAMAGED = 'contains a damaged character. Enter it again';
const FIELDS = 'the fields are name, is_current';
const PROTOTYPE: unknown = JSON.parse('{"name":"SQL","__proto__":{"is_current":true}}');

it.each<[message: string, rule: Rule<unknown>, ...values: unknown[]]>([
	// Several IDs turn into each of these.
	[TOO_LONG, string(), 1e19, 2 ** 53, -(2 ** 53)],
	[DAMAGED, string(), '\ud800', 'a\udc00'],
	['51 characters, but the maximum is 50', string({ max: 50 }), '😀'.repeat(51)],
	// The length is reported before other faults.
	['51 characters, but the maximum is 50', string({ max: 50 }), `{{a}}${'?'.repeat(46)}`],
	['6 characters, but the maximum is 5', email({ max: 5 }), 'a@b.de'],
	['199 characters, but the maximum is 3', externalId({ max: 3 }), ' \u0301'.repeat(100).slice(1)],

	['expected text, got nothing', string(), null, undefined],
	['expected text, got a number', string(), Infinity],
	['expected text, got a list', string(), ['text']],
	['expected text, got an object', string(), { text: 'text' }],
	['required, but empty', externalId(), '\u200b', ' \u00ad\n', '\u3164', '\u2800\ufe0f'],
	// These would lead elsewhere.
	[ELSEWHERE, identifier, '.', ' .. ', '\n.\t', '../webhooks', 'webhooks/1', 'a\\b', '..;x'],
	[ESCAPED('%2e'), identifier, '%2e%2e%2Fwebhooks', 'a%2eb'],
	[ESCAPED('%25'), identifier, 'a%255Cb', '%25252e.'],
	// The value may be personal, so it isn't shown.
	[NOT_A_JOB_ID, idOf('job'), `${UUID}0`, `x${UUID}`, `${UUID}/`, UUID.slice(0, 20)],
	[NOT_A_URL, url, 'hr.example.com', 'ftp://hr.example.com/hook', 'https:hr.example.com'],
	[NOT_A_URL, url, 'URL:https://hr.example.com/hook'],
	[NOT_A_URL, url, 'https://a.example\\hook', 'https://a.example:99999/', 'https://a.example/a\nb'],
	['expected true or false, got text', boolean, 'yes'],
	['expected true or false, got a number', boolean, 1, NaN],
	['must be a whole number from 1 to 100', whole, 0, 101, 1.5, NaN, '', '1,000', null, true, [5]],
	['must be a whole number from 1 to 100', whole, '0x10', '1e1', '0b1', '5e0', '5.5', '--5', '-'],
	['3 given, at most 2 are allowed', list, ['a', 'b', 'c']],
	['entry 2: expected text, got a bigint', list, ['a', 5n]],
	['expected a list, got an object', list, new Set(['a'])],
	['entry 1: is empty', listOf(skill), [{}]],
	[`entry 1: name: ${DAMAGED}`, listOf(skill), [{ name: '\ud800' }]],
	['name: 6 characters, but the maximum is 5', skill, { name: 'Python' }],
	[`unknown field 'constructor'; ${FIELDS}`, skill, { constructor: 1 }],
	[`unknown field '__proto__'; ${FIELDS}`, skill, PROTOTYPE],
	// A character of two code units is not cut in half.
	[`unknown field '${'x'.repeat(49)}…'; ${FIELDS}`, skill, { [`${'x'.repeat(49)}😀`]: 1 }],
	['expected an object, got text', skill, 'SQL'],
	['expected a list, got text', json(list), '"a"'],
	['not valid JSON', json(list), "['a']", '[a]', '["a"],', '', '['.repeat(2 ** 20)],
])('what a field cannot take is refused with %j', (message, rule, ...values) => {
	for (const value of values) expect(refusal(rule, value)).toBe(message);
});
