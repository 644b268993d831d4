import * as fc from 'fast-check';
import { extractErrorMessage } from '../../nodes/CandidateAssessment/errors/extractErrorMessage';
import { redact } from '../../nodes/CandidateAssessment/errors/redact';
import { anyText, token } from './arbitraries';

const asForm = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);

const inAscii = (json: string) =>
	json.replace(
		/[\u0080-\uffff]/g,
		(unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
const inHtml = (text: string, escape: (character: string) => string) =>
	text.replace(/[^\w ]/gu, (character) => `&${escape(character)};`);

/** How a service may repeat what it was sent. */
const echoes: Array<(text: string) => string> = [
	(text) => text,
	(text) => text.toUpperCase(),
	(text) => text.toLowerCase(),
	(text) => JSON.stringify(text).slice(1, -1),
	encodeURIComponent,
	asForm,
	// As Python's quote and .NET's UrlEncode write it.
	(text) => asForm(text).replaceAll('+', '%20'),
	(text) => asForm(text).replace(/%../g, (escape) => escape.toLowerCase()),
	// As Python's json.dumps and PHP's json_encode write it.
	(text) => inAscii(JSON.stringify(text).slice(1, -1)),
	(text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
	(text) => inHtml(text, (character) => `#${character.codePointAt(0)}`),
	(text) => inHtml(text, (character) => `#x${character.codePointAt(0)?.toString(16)}`),
	(text) => JSON.stringify({ message: inAscii(JSON.stringify({ name: text })) }),
	(text) => JSON.stringify({ message: `Bearer ${text} is not valid` }),
	(text) => JSON.stringify({ [text]: { authorization: text } }),
	(text) => JSON.stringify({ message: JSON.stringify({ body: { email: text } }) }),
	(text) => `<html><title>${text}</title><p>${text}</html>`,
	(text) => `${text}${text}\n${text}`,
	(text) => `{"message": "${text}`,
];

it('what is confidential is not told, wherever and however the service repeats it', () => {
	const before = fc.oneof(
		anyText({ maxLength: 20 }),
		// So that the secret stands where long words are cut.
		fc.integer({ min: 420, max: 510 }).map((length) => 'x'.repeat(length)),
	);
	fc.assert(
		fc.property(
			fc.array(token, { minLength: 1, maxLength: 4 }),
			fc.nat(3),
			fc.constantFrom(...echoes),
			before,
			(secrets, which, echo, start) => {
				const told = secrets[which % secrets.length];
				const said = extractErrorMessage(echo(`${start}${told}`), (text) => redact(text, secrets));
				for (const part of [told.slice(0, 10), told.slice(-10)]) {
					expect(said.toLowerCase()).not.toContain(part.toLowerCase());
				}
			},
		),
		{ numRuns: 500 },
	);
});

it.each([
	'Zoë O\'Brien-Søn "Zed"',
	'name.with+tag@example.com',
	'line one\nline two \\ backslash',
	'日本語の名前です、よろしく',
	'Große Straße, İstanbul',
])('what is confidential is hidden in any spelling, and nothing else with it: %j', (value) => {
	for (const echo of echoes.slice(0, 12)) {
		expect(redact(`1: ${echo(value)}, 2`, [], [value])).toBe('1: •••, 2');
	}
});

it('what is confidential is hidden whole where one is part of another', () => {
	fc.assert(
		fc.property(token, token, fc.boolean(), (inner, more, isFirst) => {
			const outer = inner + more;
			expect(redact(`(${outer})`, isFirst ? [inner, outer] : [outer, inner])).toBe('(•••)');
		}),
	);
});

it('what is confidential is a secret of any length, and a detail from four characters on, however long or broken', () => {
	expect(redact('ab: Jo, John', [' ab'], ['Jo', 'John'])).toBe('•••: Jo, •••');
	expect(redact('All of it stays', ['', '  '], ['', '    '])).toBe('All of it stays');
	expect(redact('Jo was there', [], ['  Jo  '])).toBe('Jo was there');
	const long = 'a'.repeat(50_000);
	expect(redact(`Too long: ${long}, ${long}a, John\ud800!`, [], [long, 'John\ud800'])).toBe(
		'Too long: •••, •••a, •••!',
	);
});

it('what is confidential is hidden as far as it is quoted, also where the text is cut off', () => {
	const cv = 'Led a team. '.repeat(1000);
	const said = (body: string) => extractErrorMessage(body, (text) => redact(text, [], [cv]));
	expect(said(`Bad: ${cv}${cv}`)).toBe('Bad: ••• •••');
	expect(said('"Led a team. Led…" is too long')).toBe('"•••…" is too long');
	expect(said('Led a tea, and more')).toBe('Led a tea, and more');
	expect(redact('Bad: zoe@zoe@ex', [], ['zoe@example.com'])).toBe('Bad: zoe@•••');
	expect(redact('Bad: zoe', [], ['zoe@example.com'])).toBe('Bad: zoe');
	const [quoted, detail] = ['-'.repeat(19_999), `${'-'.repeat(20_000)}x`];
	expect(redact(`${quoted}y`, [], [detail])).toBe('•••y');
});

it('what is confidential may be two syllables', () => {
	expect(redact('김민준 and 王小 and Jo', [], ['김민준', '王小', 'Jo'])).toBe('••• and ••• and Jo');
});

it('what the service says is told without the escapes of JSON and HTML', () => {
	const said = String.raw`M\u00fcller &#X26; S&#248;n a\/b &lt;&amp;lt;&#39;&gt; &#9999999; &a;&constructor;`;
	expect(redact(said, [])).toBe("Müller & Søn a/b <<'> \u{10ffff} &a;&constructor;");
	expect(redact('R &amp; D \\u00fc', [], ['R &amp; D \\u00fc'])).toBe('•••');
});
