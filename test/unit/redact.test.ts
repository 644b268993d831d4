import * as fc from 'fast-check';
import { extractErrorMessage } from '../../nodes/CandidateAssessment/errors/extractErrorMessage';
import { redact } from '../../nodes/CandidateAssessment/errors/redact';
import { anyText, token } from './support/arbitraries';
import { withinAMinute } from './support/timeLimit.mts';

const asForm = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);

const inAscii = (json: string) =>
	json.replace(
		/[\u0080-\uffff]/g,
		(unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
const inHtml = (text: string, escape: (character: string) => string) =>
	text.replace(/[^\w ]/gu, (character) => `&${escape(character)};`);

/** Ways in which a service may repeat what it received. */
const echoes: Array<(text: string) => string> = [
	(text) => text,
	(text) => text.toUpperCase(),
	(text) => text.toLowerCase(),
	(text) => JSON.stringify(text).slice(1, -1),
	encodeURIComponent,
	asForm,
	// The escapes of Python's quote and .NET's UrlEncode.
	(text) => asForm(text).replaceAll('+', '%20'),
	(text) => asForm(text).replace(/%../g, (escape) => escape.toLowerCase()),
	// The escapes of Python's json.dumps and PHP's json_encode.
	(text) => inAscii(JSON.stringify(text).slice(1, -1)),
	(text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
	(text) => inHtml(text, (character) => `#${character.codePointAt(0)}`),
	// The apostrophe of PHP's htmlspecialchars.
	(text) => inHtml(text, (character) => `#0${character.codePointAt(0)}`),
	(text) => inHtml(text, (character) => `#x${character.codePointAt(0)?.toString(16)}`),
	(text) => JSON.stringify({ message: inAscii(JSON.stringify({ name: text })) }),
	(text) => JSON.stringify({ [text]: { authorization: text } }),
	(text) => JSON.stringify({ message: JSON.stringify({ body: { email: text } }) }),
	(text) => `<html><title>${text}</title><p>${text}</html>`,
	(text) => `{"message": "${text}`,
];

it('no secret is told, wherever and however the service repeats it', () => {
	const before = fc.oneof(
		anyText({ maxLength: 20 }),
		// Moves the secret to where long words are cut.
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

it('a secret may be of any length, or empty, or part of another, and all else stays', () => {
	expect(redact('(ab-cd)', ['ab', 'ab-cd'])).toBe('(•••)');
	expect(redact('AB: no', [' ab'])).toBe('•••: no');
	const all = String.raw` Müller \u00fc &amp; &#39; %C3%BC + "\\ `;
	expect(redact(all, ['', '  ', 'x'])).toBe(all);
	const wrong = (long: string) => redact(`Wrong: ${long}, b`, [long]);
	expect(wrong('a'.repeat(2_000))).toBe('Wrong: •••, b');
	for (const piece of ['a', '+', '\\"&%']) expect(wrong(piece.repeat(15_000))).toBe('Wrong: •••');
});

it.each(['\\', '\\"', '%', '%25', '&', '&amp;', '&#38;', '/', '+', '+ ', "'", String.raw`\u005c`])(
	'a secret of signs is found however the answer writes it, without trying all ways to read it: %s',
	(signs) => {
		// Repeats almost the whole secret.
		const texts = echoes
			.slice(0, 13)
			.map((echo) => echo(signs.repeat(60)).repeat(100).slice(0, 20_000));
		const almost = () => texts.map((text) => redact(text, [`${signs.repeat(60)}z`]));
		// If spellings overlapped, this would take for ever.
		expect(withinAMinute(almost)).toEqual(texts);
		const secret = `${signs.repeat(20)}z`;
		expect(redact(`1: ${JSON.stringify({ secret })}`, [secret])).toBe('1: {"secret":"•••"}');
	},
);
