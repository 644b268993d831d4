import { DateTime } from 'luxon';
import {
	email,
	identifier,
	idOf,
	isEmpty,
	json,
	listOf,
	object,
	personName,
	reference,
	string,
	url,
	integer,
	boolean,
	type Rule,
} from '../../nodes/CandidateAssessment/parameters/rules';
import { refusal } from './arbitraries';

const MEGABYTE = 2 ** 20;
const UUID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

it.each([[undefined], [null], [''], [' \t\n\u00a0\ufeff'], [{}], [[]], [Object.create(null)]])(
	'a field counts as left empty with %j',
	(value) => {
		expect(isEmpty(value)).toBe(true);
	},
);

it.each([[0], [NaN], [false], ['0'], [[undefined]], [new Date(NaN)], [DateTime.invalid('test')]])(
	'a field does not count as left empty with %p',
	(value) => {
		expect(isEmpty(value)).toBe(false);
	},
);

const rules = [idOf('job'), email({ max: 255 }), reference(), identifier];
const values = [UUID, 'a@b', 'APP-1', 'inv-1'];

it.each(['\u200b', '\u200d', '\u200e', '\u2060', '\ufeff', '\u00ad', '\u{e0041}'])(
	'an invisible character is dropped around an ID, a reference and an email, and refused inside: %j',
	(character) => {
		rules.forEach((rule, index) => {
			const value = values[index];
			expect(rule(`${character} ${value}${character}`)).toBe(value);
			expect(refusal(rule, value[0] + character + value.slice(1))).toMatch(
				/^contains an invisible character/,
			);
		});
	},
);

const skill = object({ name: string({ max: 5 }), is_current: boolean });

/** What a field takes, and what it does not. */
interface Expected {
	rule: Rule<unknown>;
	/** Each value with what is sent for it. */
	takes: Array<[value: unknown, sent: unknown]>;
	/** Values by what the user reads then. */
	refuses: Array<[message: string | RegExp, ...values: unknown[]]>;
}

const EMPTY = 'required, but empty';
const asItIs = (...values: unknown[]) => values.map((value): [unknown, unknown] => [value, value]);
const missing = (word: string): [string, ...unknown[]] => [
	`contains '${word}', which an expression gives where a value is missing`,
	...[`APP-${word}`, `John${word}@corp.example`],
];
const MISSING = ['undefined', '[object Object]', 'Invalid Date', 'Invalid DateTime'];
const NAN: [string, ...unknown[]] = [missing('NaN')[0], 'APPNaN', 'NaN4', 'A-NaN-1', 'x.NaN@y'];
const NULL: [string, ...unknown[]] = [missing('null')[0], 'APP-null', 'null@corp.example'];

const FIELDS: Record<string, Expected> = {
	text: {
		rule: string({ max: 50 }),
		takes: [
			[0, '0'],
			[-0, '0'],
			[4711, '4711'],
			[-1.5, '-1.5'],
			[Number.MAX_SAFE_INTEGER, '9007199254740991'],
			...asItIs('😀'.repeat(50), '\0 \t'),
		],
		refuses: [
			// Several IDs become each of these.
			['the number is too long to be exact; it must be passed as text', 1e19, 2 ** 53, -(2 ** 53)],
			['contains half of a broken character', '\ud800', 'a\udc00', '\udc00\ud800'],
			// As Excel's plain CSV comes through n8n.
			[
				'contains \ufffd, a letter that was read in the wrong encoding. Save the file as .xlsx, or as CSV UTF-8.',
				'Jos\ufffd',
			],
			['51 characters given, at most 50 are allowed', '😀'.repeat(51), 'a'.repeat(51)],
			['text is expected, got nothing', null, undefined],
			['text is expected, got a number', Infinity],
			['text is expected, got a bigint', 1n],
			['text is expected, got a function', () => 'text'],
			['text is expected, got a list', ['text']],
			['text is expected, got an object', { text: 'text' }],
		],
	},
	reference: {
		rule: reference(),
		takes: [
			['\ufeff\u200b a b \u2060\n', 'a b'],
			[42, '42'],
			...asItIs('APP-1e+21', 'nullable@ANNULL', 'inv-7NaNx9'),
		],
		refuses: [
			[EMPTY, '', ' ', '\u200b', ' \u00ad\n'],
			...MISSING.map(missing),
			...[NAN, NULL],
			["contains '1.2345678901234568e+21', a number that was rounded", 'A-1.2345678901234568e+21'],
		],
	},
	'short reference': {
		rule: reference({ max: 3 }),
		// An accent may be typed as a character of its own.
		takes: [['Zoe\u0308', 'Zo\u00eb']],
		refuses: [['4 characters given, at most 3 are allowed', 'Zoes']],
	},
	"person's name": {
		rule: personName(),
		// Some people are called Null.
		takes: asItIs('Null null', 'NaNcy', 'Undefinedson'),
		refuses: [
			[missing('undefined')[0], 'Anna undefined'],
			[missing('[object Object]')[0], '[object Object]'],
		],
	},
	identifier: {
		rule: identifier,
		takes: [
			[' \tin v/1\n', 'in v/1'],
			[42, '42'],
		],
		refuses: [
			// They would lead elsewhere.
			['"." and ".." are not identifiers', '.', '..', ' .. ', '\n.\t'],
			[EMPTY, ''],
			NULL,
		],
	},
	'ID of the service': {
		rule: idOf('job'),
		takes: [
			[` ${UUID}\n`, UUID],
			...asItIs(UUID.toUpperCase(), '00000000-0000-0000-0000-000000000000'),
		],
		refuses: [
			// It may be something personal, and is not shown.
			[
				`this is not a job ID, which looks like ${UUID}`,
				...[
					`${UUID}0`,
					`x${UUID}`,
					`${UUID}\n/`,
					UUID.replaceAll('-', ''),
					UUID.replace('3', '３'),
				],
				...['job-17', 'Senior Data Analyst', 'nathan1990@example.com'],
			],
			[`this job ID isn't complete; copy all 36 characters`, UUID.slice(0, 20), UUID.slice(0, -1)],
		],
	},
	'web address': {
		rule: url,
		takes: [
			[' https://hr.example.com\n', 'https://hr.example.com'],
			...asItIs('http://hr.example.com:8080/a/b?c=d#e', 'https://[2001:db8::1]/hook'),
			...asItIs('https://例え.example/パス'),
		],
		refuses: [
			[
				/^a full web address is expected/,
				...['hr.example.com', 'ftp://hr.example.com/hook', 'javascript:alert(1)', 'https://'],
				...['https:hr.example.com', 'https://hr.example.com\\hook', 'https://a.example/a\nhook'],
				...['\0https://hr.example.com/', 'https://hr.example.com/{id}', '{{ $json.url }}'],
				...['https://hr.example.com:99999/'],
			],
		],
	},
	'yes or no': {
		rule: boolean,
		takes: [...asItIs(true, false), ['true', true], ['FALSE', false], [' True\n', true]],
		refuses: [
			['true or false is expected, got text', 'yes'],
			['true or false is expected, got a number', 1],
			['true or false is expected, got a number', NaN],
			['true or false is expected, got nothing', null],
			['true or false is expected, got an object', {}],
		],
	},
	'whole number': {
		rule: integer({ min: 1, max: 100 }),
		takes: [...asItIs(1, 100), ['1', 1], [' 100 ', 100], ['1e2', 100]],
		refuses: [
			[
				'must be a whole number from 1 to 100',
				...[0, 101, 1.5, NaN, '0', '1.5', '', '1,000', null, true, [5]],
			],
		],
	},
	list: {
		rule: listOf(listOf(string()), { max: 3 }),
		takes: asItIs([['a'], ['b'], ['c']]),
		refuses: [
			['4 given, at most 3 are allowed', [['a'], ['b'], ['c'], ['d']]],
			['entry 2: entry 2: text is expected, got a bigint', [['a'], ['b', 5n]]],
			['a list is expected, got text', 'a'],
			['a list is expected, got an object', new Set(['a'])],
			['a list is expected, got nothing', null],
		],
	},
	record: {
		rule: skill,
		takes: [
			[{ name: 'SQL', is_current: '' }, { name: 'SQL' }],
			[{ name: null, is_current: 'false' }, { is_current: false }],
		],
		refuses: [
			['name: 6 characters given, at most 5 are allowed', { name: 'Python' }],
			[
				/^unknown field '\w+'; the fields are name, is_current$/,
				...[
					{ name: 'SQL', level: 1 },
					{ name: 'SQL', constructor: 1 },
				],
				JSON.parse('{"name":"SQL","__proto__":{"is_current":true}}'),
			],
			// A character of two code units is not cut in half.
			[
				`unknown field '${'x'.repeat(49)}…'; the fields are name, is_current`,
				{ [`${'x'.repeat(49)}😀`]: 1 },
			],
			['an object is expected, got text', 'SQL'],
			['an object is expected, got a list', ['SQL']],
			['an object is expected, got nothing', null, undefined],
			['an object is expected, got a number', 5],
		],
	},
	'JSON field': {
		rule: json(listOf(string())),
		takes: [['["a"]', ['a']], ...asItIs(['a'])],
		refuses: [
			['a list is expected, got text', '"a"'],
			['a list is expected, got nothing', 'null'],
			[
				'is not valid JSON',
				...['[', "['a']", '[a]', '["a"],', 'undefined', 'NaN', '', '['.repeat(MEGABYTE)],
			],
		],
	},
	'email address': {
		rule: email({ max: 255 }),
		takes: [
			[' \ta@b\n\u00a0', 'a@b'],
			['Zoe\u0308@b', 'Zo\u00eb@b'],
			...asItIs("o'neil+jobs@sub.example.co.uk", 'ä@例え.example', 'nullable@ANNULL'),
			...asItIs('jennifer.null@example.com', 'null-2@x.null', 'JohnNaN@corp.example'),
		],
		refuses: [
			[
				/^an email address is expected: one @, something before and after it, and no spaces, commas/,
				...['Nathan', '@', 'a@', '@b', 'a@b@c', 'a b@c', 'a@b c', 'a@b\u00a0c', 'a@b\nc'],
				...['mailto:a@b', 'a@b;', 'a@b,c', 'A <a@b>', '(a)@b', 'a@[::1]', 'a\\b@c', '"x"@y'],
			],
			...MISSING.map(missing),
			[NAN[0], 'x.NaN@y', 'NaN@y', 'a@NaN'],
			[NULL[0], 'null@corp.example'],
		],
	},
};

const fields = Object.entries(FIELDS);

it.each(
	fields.flatMap(([name, { rule, takes }]) =>
		takes.map(([value, sent]) => ({ name, rule, value, sent })),
	),
)('a field ($name) takes $value and sends $sent', ({ rule, value, sent }) => {
	expect(rule(value)).toEqual(sent);
});

it.each(
	fields.flatMap(([name, { rule, refuses }]) =>
		refuses.map(([message, ...values]) => ({ name, rule, message, values })),
	),
)('a field ($name) says $message of what it does not take', ({ rule, message, values }) => {
	for (const value of values) {
		const said = refusal(rule, value);
		if (message instanceof RegExp) expect(said).toMatch(message);
		else expect(said).toBe(message);
	}
});
