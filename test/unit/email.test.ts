import { email } from '../../nodes/CandidateAssessment/parameters/rules';
import { refusal } from './support/arbitraries';

const address = email({ max: 255 });

it.each([
	...["o'neil@example.com", "d'arc+jobs@example.com", "'t@x.nl", 'jane+tag@example.co.uk'],
	...['jane@例え.jp', 'jörg@müller.de', 'x@paral·lel.cat', 'संपर्क@डाटामेल.भारत'],
	// RFC 5321 forbids these, but mail providers have issued them.
	...['jane.@docomo.example.jp', 'ja..ne@example.com', '-jane@example.com', '_@example.com'],
	...['a/b=c?d!e#f@example.com', '1@1.example', 'jane@a-b--c.example', 'NULL.x@a.b'],
])('a real address is sent: %s', (value) => expect(address(value)).toBe(value));

const CONTAINS = (sign: string) => `not an email address: 'VALUE' contains ${sign}`;
const NO_ADDRESS =
	"not an email address: 'VALUE'. Enter only the address, such as jane@example.com";

it.each<[problem: string, ...addresses: string[]]>([
	[NO_ADDRESS, 'Nathan', 'a@b@c', '@@', '@b.de', 'a@', 'jane＠example.com', 'jane@localhost'],
	[NO_ADDRESS, 'jane@example.com.', 'jane@example..com', 'jane@.example.com', 'jane@-example.com'],
	[NO_ADDRESS, 'jane@example-.com', 'jane@example.-com', 'jane@example.com-', 'a@b.de@c.de'],
	[CONTAINS('a space'), 'a b@c.de', 'a@b\u00a0c.de', 'jane@example.com (work)'],
	// With a straight apostrophe, it would be the same person's address.
	[CONTAINS('a curly apostrophe'), 'o’neil@example.com', 'jane@example.com’'],
	[CONTAINS("'‘'"), 'o‘neil@example.com', '‘jane@example.com’'],
	[CONTAINS("'´'"), 'o´neil@example.com', '´jane@example.com´'],
	[CONTAINS("'`'"), 'o`neil@example.com', '`jane@example.com`'],
	[CONTAINS("'′'"), 'o′neil@example.com'],
	[CONTAINS('an apostrophe'), "'jane@example.com'", "jane@example.com'", "jane@o'neil.example"],
	[CONTAINS('a quotation mark'), '"jane@example.com"', 'jane"x"@example.com', 'jane@example.com"'],
	[CONTAINS("'“'"), '“jane@example.com”', '“jane@example.com'],
	[CONTAINS("'„'"), '„jane@example.com“'],
	[CONTAINS("'«'"), '«jane@example.com»'],
	[CONTAINS("'ʼ'"), 'oʼneil@example.com'],
	[CONTAINS("'＇'"), 'o＇neil@example.com'],
	[CONTAINS("'/'"), 'jane@example.com/'],
	[CONTAINS('a question mark'), 'jane@example.com?subject=Hi'],
	[CONTAINS("'_'"), 'jane@my_company.com'],
	[CONTAINS("':'"), 'mailto:jane@example.com', 'jane@example.com:25'],
	[CONTAINS("'<'"), '<jane@example.com>', 'Ada<jane@example.com>'],
	[CONTAINS("'>'"), 'jane@example.com>'],
	[CONTAINS("';'"), 'jane@example.com;', 'jane@example.com;joe@example.com'],
	[CONTAINS("','"), 'jane@example.com,', 'jane@example,com'],
	[CONTAINS("'('"), '(jane@example.com)', 'jane(at)example.com'],
	[CONTAINS("'['"), 'jane[at]example.com', 'jane@[10.0.0.1]'],
	[CONTAINS(String.raw`'\'`), String.raw`o\neil@example.com`],
	[CONTAINS('a doubled apostrophe'), "''jane@example.com", "jane''@example.com"],
	// Comes first. leftovers.test.ts has all such codes.
	["contains '%3A', a link's code. Replace it with the character it stands for", 'mailto%3Aj@b.de'],
])('what is no address, or has more around it, is refused: %s', (problem, ...addresses) => {
	for (const value of addresses) {
		const quoted = value.replace(/\s/g, ' ');
		expect([value, refusal(address, value)]).toEqual([value, problem.replace('VALUE', quoted)]);
	}
});
