import * as fc from 'fast-check';
import { email } from '../../nodes/CandidateAssessment/parameters/rules';
import { histories } from '../support/histories.mts';
import { refusal } from './arbitraries';

const address = email({ max: 255 });

it.each([
	...[
		"o'neil@example.com",
		"d'arc+jobs@example.com",
		'jane+tag@example.co.uk',
		'j@x.io',
		"'t@x.nl",
	],
	...[
		'jane@例え.jp',
		'jane@xn--r8jz45g.xn--zckzah',
		'jörg@müller.de',
		'用户@例子.公司',
		'x@paral·lel.cat',
	],
	// What RFC 5321 forbids and mail providers have given out.
	...['jane.@docomo.example.jp', 'ja..ne@example.com', '-jane@example.com', '_@example.com'],
	...[
		'a/b=c?d!e#f@example.com',
		'1@1.example',
		'jane@123.com',
		'jane@a-b--c.example',
		'NULL.x@a.b',
	],
	...['jane@firma.versicherung', 'संपर्क@डाटामेल.भारत', 'o’neil@example.com', 'Ada@EXAMPLE.COM'],
])('a real address is sent: %s', (value) => expect(address(value)).toBe(value));

const QUOTED = 'it is in quotation marks. Remove them';
const ONE_AT = 'it needs one @, with something before and after it';
const DOT = 'it ends with a dot. Remove it';
const GAP = 'after the @, a dot has nothing before it';
const HYPHEN = 'after the @, a part begins or ends with a hyphen';
const ENDING = 'after the @, it has no ending such as .com';
const more = (sign: string) => `after the @, it contains ${sign}. Remove what isn't the address`;

it.each<[problem: string, ...addresses: string[]]>([
	[QUOTED, "'jane@example.com'", '"jane@example.com"', '“jane@example.com”', '„jane@example.com“'],
	[QUOTED, '‘jane@example.com’', '«jane@example.com»', '`jane@example.com`', '“jane@example.com'],
	[DOT, 'jane@example.com.', 'jane@example.com..'],
	[more("'/'"), 'jane@example.com/'],
	[more('a question mark'), 'jane@example.com?subject=Hi'],
	[more("'&'"), 'jane@example.com&subject=Hi'],
	[more("'”'"), 'jane@example.com”'],
	[more('an apostrophe'), "jane@example.com'"],
	[more("'*'"), '**jane@example.com**'],
	[more("'…'"), 'jane@example.com…'],
	[more("'_'"), 'jane@my_company.com'],
	[GAP, 'jane@example..com', 'jane@.com', 'jane@.example.com'],
	[HYPHEN, 'jane@-example.com', 'jane@example-.com', 'jane@example.-com', 'jane@example.com-'],
	[ENDING, 'jane@example', 'jane@localhost'],
	[ONE_AT, 'Nathan', 'a@b@c', '@@', '@b.de', 'a@', 'jane@example.com@example.com'],
	[
		'it contains a space',
		'a b@c.de',
		'a@b\u00a0c.de',
		'jane@example.com (work)',
		'jane @example.com',
	],
	["it contains ':'", 'mailto:jane@example.com', 'jane@example.com:25'],
	["it contains '<'", '<jane@example.com>', 'Ada<jane@example.com>'],
	["it contains '>'", 'jane@example.com>'],
	["it contains ';'", 'jane@example.com;', 'jane@example.com;joe@example.com'],
	["it contains ','", 'jane@example.com,', 'jane@example,com'],
	["it contains '('", '(jane@example.com)', 'jane(at)example.com'],
	["it contains '['", 'jane[at]example.com', 'jane@[10.0.0.1]'],
	[String.raw`it contains '\'`, String.raw`o\'neil@example.com`],
	['it contains a quotation mark', 'jane"x"@example.com'],
])('what is no address, or has more around it, is refused: %s', (problem, ...addresses) => {
	for (const value of addresses) {
		expect([value, refusal(address, value)]).toEqual([value, `not an email address: ${problem}`]);
	}
});

it('each valid address is sent: dot-atoms of RFC 5321, before a domain in letters or in punycode', () => {
	// But for # and &, before which a spreadsheet's error or an HTML code may stand.
	const atext = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789!$%*+-/=?^_{|}~'`";
	const atom = fc.string({ unit: fc.constantFrom(...atext), minLength: 1, maxLength: 12 });
	const local = fc
		.array(atom, { minLength: 1, maxLength: 4 })
		.map((atoms) => atoms.join('.'))
		// What an export adds before a formula or a number.
		.filter((text) => !/^'(?:[=+\-\d]|$)|^null$/.test(text));
	const ascii = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,10}[a-z0-9])?$/);
	const international = fc.string({
		unit: fc.constantFrom(...'äöüßéñçåøłčşžабвгдежяαβγδωשלוםعربي例え中文한국भारत'),
		minLength: 1,
		maxLength: 12,
	});
	const punycode = fc.constantFrom('xn--mller-kva', 'xn--e1afmkfd', 'xn--fsqu00a', 'xn--p1ai');
	const label = fc.oneof(ascii, international, punycode);
	const domain = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));
	fc.assert(
		fc.property(local, domain, (before, behind) => {
			const text = `${before}@${behind}`.normalize('NFC');
			// As an expression that was not filled in.
			fc.pre(!text.includes('{{'));
			expect(address(text)).toBe(text);
		}),
		{ numRuns: histories(1000) },
	);
});
