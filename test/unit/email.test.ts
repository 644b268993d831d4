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
	...['jane@firma.versicherung', 'संपर्क@डाटामेल.भारत', 'Ada@EXAMPLE.COM'],
])('a real address is sent: %s', (value) => expect(address(value)).toBe(value));

const CONTAINS = (sign: string) => `not an email address: it contains ${sign}`;
const NO_ADDRESS = 'not an email address. Enter only the address, such as jane@example.com';

it.each<[problem: string, ...addresses: string[]]>([
	[
		NO_ADDRESS,
		...[
			'Nathan',
			'a@b@c',
			'@@',
			'@b.de',
			'a@',
			'jane@example.com@example.com',
			'jane＠example.com',
		],
		...['jane@example.com.', 'jane@example.com..', 'jane@example', 'jane@localhost'],
		...['jane@example..com', 'jane@.com', 'jane@.example.com', 'jane@-example.com'],
		...['jane@example-.com', 'jane@example.-com', 'jane@example.com-'],
	],
	[
		CONTAINS('a space'),
		...[
			'a b@c.de',
			'a@b\u00a0c.de',
			'jane@example.com (work)',
			'jane @example.com',
			'jane@exa mple.com',
		],
	],
	// With an apostrophe that a keyboard has, it's the same person's.
	[CONTAINS('a curly apostrophe'), 'o’neil@example.com', 'jane@example.com’'],
	[CONTAINS("'‘'"), 'o‘neil@example.com', '‘jane@example.com’'],
	[CONTAINS("'´'"), 'o´neil@example.com', '´jane@example.com´'],
	[CONTAINS("'`'"), 'o`neil@example.com', '`jane@example.com`'],
	[CONTAINS("'′'"), 'o′neil@example.com'],
	[CONTAINS('an apostrophe'), "'jane@example.com'", "jane@example.com'", "jane@o'neil.example"],
	[CONTAINS('a quotation mark'), '"jane@example.com"', 'jane"x"@example.com', 'jane@example.com"'],
	[CONTAINS("'“'"), '“jane@example.com”', '“jane@example.com'],
	[CONTAINS("'”'"), 'jane@example.com”'],
	[CONTAINS("'„'"), '„jane@example.com“'],
	[CONTAINS("'«'"), '«jane@example.com»'],
	[CONTAINS("'/'"), 'jane@example.com/'],
	[CONTAINS('a question mark'), 'jane@example.com?subject=Hi'],
	[CONTAINS("'&'"), 'jane@example.com&subject=Hi'],
	[CONTAINS("'*'"), '**jane@example.com**'],
	[CONTAINS("'…'"), 'jane@example.com…'],
	[CONTAINS("'_'"), 'jane@my_company.com'],
	[CONTAINS("':'"), 'mailto:jane@example.com', 'jane@example.com:25'],
	[CONTAINS("'<'"), '<jane@example.com>', 'Ada<jane@example.com>'],
	[CONTAINS("'>'"), 'jane@example.com>'],
	[CONTAINS("';'"), 'jane@example.com;', 'jane@example.com;joe@example.com'],
	[CONTAINS("','"), 'jane@example.com,', 'jane@example,com'],
	[CONTAINS("'('"), '(jane@example.com)', 'jane(at)example.com'],
	[CONTAINS("'['"), 'jane[at]example.com', 'jane@[10.0.0.1]'],
	[CONTAINS(String.raw`'\'`), String.raw`o\'neil@example.com`],
])('what is no address, or has more around it, is refused: %s', (problem, ...addresses) => {
	for (const value of addresses) {
		expect([value, refusal(address, value)]).toEqual([value, problem]);
	}
});

it('each valid address is sent: dot-atoms of RFC 5321, before a domain in letters or in punycode', () => {
	// But for # and &, before which a spreadsheet's error or an HTML code may stand, and the backtick, which somebody
	// may type for an apostrophe.
	const atext = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789!$%*+-/=?^_{|}~'";
	const atom = fc.string({ unit: fc.constantFrom(...atext), minLength: 1, maxLength: 12 });
	const local = fc
		.array(atom, { minLength: 1, maxLength: 4 })
		.map((atoms) => atoms.join('.'))
		// What an export adds before a formula or a number.
		.filter((text) => !/^'(?:[=+\-\d]|$)|^null$/.test(text));
	const ascii = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,10}[a-z0-9])?$/);
	const international = fc
		.constantFrom('äöüßéñçåøłčşž', 'абвгдежя', 'αβγδω', 'שלום', 'عربي', '例え中文', '한국', 'भारत')
		.chain((script) =>
			fc.string({ unit: fc.constantFrom(...script), minLength: 1, maxLength: 12 }),
		);
	const punycode = fc.constantFrom('xn--mller-kva', 'xn--e1afmkfd', 'xn--fsqu00a', 'xn--p1ai');
	const label = fc.oneof(ascii, international, punycode);
	const domain = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));
	fc.assert(
		fc.property(local, domain, (before, behind) => {
			const text = `${before}@${behind}`.normalize('NFC');
			// As an expression or a merge field that was not filled in.
			fc.pre(!/\{\{|\$\{|\*\|/.test(text));
			expect(address(text)).toBe(text);
		}),
		{ numRuns: histories(1000) },
	);
});
