import * as fc from 'fast-check';
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
	ValidationError,
	string,
	url,
	integer,
	boolean,
} from '../../nodes/CandidateAssessment/parameters/rules';
import { charactersIn } from './specification';
import { anyCodeUnits, anything, anyText, refusal } from './arbitraries';
import { histories } from '../support/histories.mts';

const MEGABYTE = 2 ** 20;
const UUID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

const WRONG_TYPES: Array<[string, unknown]> = [
	['nothing', null],
	['nothing', undefined],
	['a number', Infinity],
	['a bigint', 1n],
	['a function', () => 'text'],
	['a list', ['text']],
	['an object', { text: 'text' }],
];

describe('A field', () => {
	it.each([[undefined], [null], [''], [' \t\n\u00a0\ufeff'], [{}], [[]], [Object.create(null)]])(
		'counts as left empty with %j',
		(value) => {
			expect(isEmpty(value)).toBe(true);
		},
	);

	it.each([[0], [NaN], [false], ['0'], [[undefined]], [new Date(NaN)], [DateTime.invalid('test')]])(
		'does not count as left empty with %p',
		(value) => {
			expect(isEmpty(value)).toBe(false);
		},
	);
});

describe('A text', () => {
	it('is refused exactly when it has half of a broken character', () => {
		fc.assert(
			fc.property(anyCodeUnits, (value) => {
				// What UTF-8 cannot carry comes back as another character.
				const isWhole = Buffer.from(value, 'utf8').toString('utf8') === value;
				if (isWhole) expect(string()(value)).toBe(value);
				else expect(refusal(string(), value)).toBe('contains half of a broken character');
			}),
			{ numRuns: histories(150) },
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
			{ numRuns: histories(150) },
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

	it.each(WRONG_TYPES)('cannot be %s', (kind, value) => {
		expect(refusal(string({ max: 50 }), value)).toBe(`text is expected, got ${kind}`);
	});
});

describe('A reference', () => {
	const rule = reference({ max: 5 });

	it('loses blanks and invisible characters at both ends, and none in between', () => {
		expect(rule('\ufeff\u200b a b \u2060\n')).toBe('a b');
		expect(rule(42)).toBe('42');
	});

	it.each(['', ' ', '\u200b', ' \u00ad\n'])('cannot be empty: %j', (value) => {
		expect(refusal(rule, value)).toBe('required, but empty');
	});
});

describe('An invisible character', () => {
	const rules = [idOf('job'), email({ max: 255 }), reference(), identifier];
	const values = [UUID, 'a@b', 'APP-1', 'inv-1'];

	it.each(['\u200b', '\u200d', '\u200e', '\u2060', '\ufeff', '\u00ad', '\u{e0041}'])(
		'around what tells one thing from another is dropped, and inside it refused: %j',
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
});

describe('What an expression writes where a value is missing', () => {
	const problem = (word: string) =>
		`contains '${word}', which an expression gives where a value is missing`;
	const rules = [reference(), email({ max: 255 }), identifier];

	it.each(['undefined', 'NaN', '[object Object]', 'Invalid Date', 'Invalid DateTime'])(
		'is nowhere in what tells one thing from another: %s',
		(word) => {
			for (const rule of rules) {
				expect(refusal(rule, `APP-${word}`)).toBe(problem(word));
				expect(refusal(rule, `John${word}@corp.example`)).toBe(problem(word));
			}
		},
	);

	it('may be null within a word', () => {
		for (const rule of rules) {
			expect(refusal(rule, 'APP-null')).toBe(problem('null'));
			expect(refusal(rule, 'null@corp.example')).toBe(problem('null'));
			expect(rule('nullable@ANNULL')).toBe('nullable@ANNULL');
		}
	});

	it('is a rounded number', () => {
		expect(refusal(reference(), `APP-${10 ** 21 * 1.2345678901234567}`)).toBe(
			"contains '1.2345678901234568e+21', a number that was rounded",
		);
		expect(reference()('APP-1e+21')).toBe('APP-1e+21');
	});

	it('is a word by itself in the names of people, some of whom are called Null', () => {
		const rule = personName();
		expect(refusal(rule, 'Anna undefined')).toBe(problem('undefined'));
		expect(refusal(rule, '[object Object]')).toBe(problem('[object Object]'));
		for (const name of ['Null null', 'NaNcy', 'Undefinedson']) expect(rule(name)).toBe(name);
	});
});

describe('A letter and its accent', () => {
	it('are one character in what tells one thing from another, however they were typed', () => {
		const typed = 'Zoe\u0308';
		expect(reference({ max: 3 })(typed)).toBe('Zo\u00eb');
		expect(email({ max: 255 })(`${typed}@b`)).toBe('Zo\u00eb@b');
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

	it.each(['', '  ', '\n'])('cannot be empty: %j', (value) => {
		expect(refusal(identifier, value)).toBe('required, but empty');
	});
});

describe('An ID of the service', () => {
	const rule = idOf('job');

	it.each([UUID, UUID.toUpperCase(), '00000000-0000-0000-0000-000000000000'])(
		'can be the UUID %s',
		(value) => {
			expect(rule(` ${value}\n`)).toBe(value);
		},
	);

	it.each([UUID.slice(0, -1), UUID.slice(0, 20), '3f2b8c1e-'])(
		'that was not copied whole is told so: %s',
		(value) => {
			expect(refusal(rule, value)).toBe("this job ID isn't complete; copy all 36 characters");
		},
	);

	it.each([
		['with a digit too many', `${UUID}0`, `'${UUID}0'`],
		['without hyphens', UUID.replaceAll('-', ''), `'${UUID.replaceAll('-', '')}'`],
		['in another form', 'job-17', "'job-17'"],
		['with a full-width digit', UUID.replace('3', '３'), 'this'],
		['as a title', 'Senior Data Analyst', 'this'],
		['as an email', 'nathan1990@example.com', 'this'],
		['as a phone number', '+49-170-1234567', 'this'],
	])('is shown only where it looks like an ID: %s', (_kind, value, shown) => {
		expect(refusal(rule, value)).toBe(`${shown} is not a job ID, which looks like ${UUID}`);
	});
});

describe('A web address', () => {
	it.each([
		'https://hr.example.com',
		'http://hr.example.com:8080/a/b?c=d#e',
		'https://[2001:db8::1]/hook',
		'https://例え.example/パス',
	])('can be %s', (value) => {
		expect(url(` ${value}\n`)).toBe(value);
	});

	it.each([
		'hr.example.com',
		'ftp://hr.example.com/hook',
		'javascript:alert(1)',
		'https://',
		'https:hr.example.com',
		'https://hr.example.com\\hook',
		'https://hr.example.com/a\nhook',
		'\0https://hr.example.com/',
		'https://hr.example.com/{id}',
		'https://hr.example.com:99999/',
		'{{ $json.url }}',
	])('cannot be %j', (value) => {
		expect(refusal(url, value)).toMatch(/^a full web address is expected/);
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
		[1, 'a number'],
		[NaN, 'something that is not a number'],
		[null, 'nothing'],
		[{}, 'an object'],
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

	it.each([0, 101, 1.5, NaN, '0', '1.5', '', '1,000', null, true, [5]])('cannot be %p', (value) => {
		expect(refusal(rule, value)).toBe('must be a whole number from 1 to 100');
	});
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

	it.each<[unknown, string]>([
		['a', 'text'],
		[new Set(['a']), 'an object'],
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

	it.each([
		'{"name":"SQL","level":1}',
		'{"name":"SQL","__proto__":{"is_current":true}}',
		'{"name":"SQL","constructor":1}',
	])('with an unknown field is refused: %s', (written) => {
		expect(refusal(rule, JSON.parse(written))).toMatch(
			/^unknown field '\w+'; the fields are name, is_current$/,
		);
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
			{ numRuns: histories(300) },
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

	it.each(['Nathan', '@', 'a@', '@b', 'a@b@c', 'a b@c', 'a@b c', 'a@b\u00a0c', 'a@b\nc'])(
		'cannot be %j',
		(address) => {
			expect(refusal(rule, address)).toBe(
				'an email address is expected: one @, something before and after it, and no spaces',
			);
		},
	);
});
