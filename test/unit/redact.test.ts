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
	// As PHP's htmlspecialchars writes an apostrophe.
	(text) => inHtml(text, (character) => `#0${character.codePointAt(0)}`),
	(text) => inHtml(text, (character) => `#x${character.codePointAt(0)?.toString(16)}`),
	(text) => JSON.stringify({ message: inAscii(JSON.stringify({ name: text })) }),
	(text) => JSON.stringify({ message: `Bearer ${text} is not valid` }),
	(text) => JSON.stringify({ [text]: { authorization: text } }),
	(text) => JSON.stringify({ message: JSON.stringify({ body: { email: text } }) }),
	(text) => `<html><title>${text}</title><p>${text}</html>`,
	(text) => `${text}${text}\n${text}`,
	(text) => `{"message": "${text}`,
];

it('no secret is told, wherever and however the service repeats it', () => {
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

it.each(['sk_live+51H/x=="Zed"', "a b & c <d> 'e' 100%", String.raw`back\slash, two \\ and more`])(
	'a secret is hidden in any spelling, and nothing else with it: %j',
	(secret) => {
		for (const echo of echoes.slice(0, 12)) {
			expect(redact(`1: ${echo(secret)}, 2`, [secret])).toBe('1: •••, 2');
		}
	},
);

it('no part of a secret is told where a long page was cut off within it', () => {
	for (let before = 19_960; before < 20_000; before++) {
		const page = `<html><p>Wrong token: ${'<br> '.repeat(5_000)}`
			.slice(0, before)
			.replace(/<\w*$/, '');
		const body = `${page.padEnd(before)}sk_live_51H8xYz ${'x'.repeat(100)}`;
		const said = extractErrorMessage(body, (text) => redact(text, ['sk_live_51H8xYz']));
		expect(said).toMatch(/^Wrong token:( •••( x*)?)?$/);
	}
});

it('a secret is hidden whole where it is part of another', () => {
	fc.assert(
		fc.property(token, token, fc.boolean(), (inner, more, isFirst) => {
			const outer = inner + more;
			expect(redact(`(${outer})`, isFirst ? [inner, outer] : [outer, inner])).toBe('(•••)');
		}),
	);
});

it.each([
	['100%deadbeef01', 'deadbeef01', '100%•••'],
	['tok%2541', 'tok%41', '•••'],
	['tok%ab or abc%2f', 'tok%ab', '••• or abc%2f'],
])(
	'a secret is hidden where signs around or in it only look like escapes: %s',
	(text, secret, said) => {
		expect(redact(text, [secret])).toBe(said);
	},
);

it('a secret may be of any length, or empty', () => {
	expect(redact('AB: no', [' ab'])).toBe('•••: no');
	expect(redact('All of it stays', ['', '  '])).toBe('All of it stays');
	const long = 'a'.repeat(15_000);
	expect(redact(`Wrong: ${long}, b`, [long])).toBe('Wrong: •••, b');
});

it('what the service says is told as it wrote it, but for secrets', () => {
	const texts = fc.oneof(
		anyText(),
		fc
			.array(fc.constantFrom('\\', '\\u00fc', '&amp;', '&#39;', '%C3%BC', '+', '"', 'Long', '中'))
			.map((parts) => parts.join('')),
	);
	fc.assert(
		fc.property(texts, texts, token, (before, after, secret) => {
			expect(redact(before, [secret])).toBe(before);
			const said = redact(`${before} ${secret} ${after}`, [secret]);
			expect(said).toBe(`${before} ••• ${after}`);
		}),
		{ numRuns: 500 },
	);
});
