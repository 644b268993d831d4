import crypto from 'crypto';
import * as fc from 'fast-check';
import { digestOf } from '../../nodes/CandidateAssessment/trigger/secret';
import {
	findSecretHeaders,
	isGenuine,
	HTTP_HEADERS,
} from '../../nodes/CandidateAssessment/trigger/verify';
import { anyText } from './arbitraries';

const JSON_TYPE = 'application/json';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const NAME_CHARACTERS = [...LETTERS, ...'-_!#$%&*+.^`|~'];
const VISIBLE = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));

/** In one word, as a derived secret is; or any visible characters with blanks between them. */
const secretText = fc
	.oneof(
		fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 16, maxLength: 64 }),
		fc.string({ unit: fc.constantFrom(...VISIBLE, ' '), minLength: 16, maxLength: 40 }),
	)
	.filter((secret) => secret === secret.trim());

const headerName = fc
	.oneof(
		fc.string({ unit: fc.constantFrom(...NAME_CHARACTERS), minLength: 1, maxLength: 20 }),
		fc.constantFrom('X-Webhook-Secret', 'authorization', 'Cookie', '__proto__', 'constructor'),
	)
	.filter((name) => !HTTP_HEADERS.test(name));
const headerValue = fc.oneof(
	fc.string({ unit: fc.constantFrom(...VISIBLE, ' ', '\t'), maxLength: 80 }),
	fc.string({ unit: 'binary', maxLength: 20 }),
	fc.constantFrom('', ' ', 'Bearer', 'Bearer ', 'null', 'undefined', 'true', '[object Object]'),
);
type Header = [string, string];
const otherHeaders = fc.array(fc.tuple(headerName, headerValue), { maxLength: 8 });
const anyCase = (name: string) => fc.mixedCase(fc.constant(name)).map((mixed): string => mixed);

/** The secret as it may stand in a header, with or without a scheme and blanks around it. */
const genuineValue = (secret: string) =>
	fc.constantFrom(
		...['', 'Bearer ', 'bearer  ', 'Token\t', 'Secret: '].map((scheme) => scheme + secret),
		...[` ${secret}`, `${secret}\t`, ` ${secret} `],
	);

/** The secret, but not quite. */
const nearMiss = (secret: string): fc.Arbitrary<string> => {
	const at = fc.nat(secret.length - 1);
	return fc
		.oneof(
			fc.tuple(at, fc.constantFrom(...LETTERS)).map((parts) => replaced(secret, ...parts)),
			at.map((length) => secret.slice(0, length)),
			fc.constantFrom(
				secret.toUpperCase(),
				secret.repeat(2),
				`${secret}, ${secret}`,
				`"${secret}"`,
				`secret=${secret}`,
				`Bearer one two ${secret}`,
				`${secret} Bearer`,
				`${secret}\0`,
				Buffer.from(secret).toString('base64'),
				digestOf(secret),
			),
		)
		.filter((value) => value.trim() !== secret);
};

function replaced(text: string, index: number, letter: string): string {
	return text.slice(0, index) + letter + text.slice(index + 1);
}

/** The names of the headers that carry the secret, and count. */
const secretHeaderNames = (headers: Header[], digest: string, onlyHeader?: string) =>
	[...findSecretHeaders(headers.flat(), digest).keys()].filter((name) =>
		isGenuine(new Map([[name, '']]), onlyHeader),
	);

const genuine = fc.tuple(secretText, headerName).chain(([secret, name]) =>
	fc.record({
		secret: fc.constant(secret),
		name: fc.constant(name),
		value: genuineValue(secret),
		before: otherHeaders,
		after: otherHeaders,
		onlyHeader: fc.oneof(fc.constantFrom(undefined, ''), anyCase(name)),
	}),
);

it('a genuine call is let in whatever header carries the secret, with or without a scheme, beside any others', () => {
	fc.assert(
		fc.property(genuine, ({ secret, name, value, before, after, onlyHeader }) => {
			const headers: Header[] = [...before, [name, value], ...after];
			expect(secretHeaderNames(headers, digestOf(secret), onlyHeader)).toEqual([
				name.toLowerCase(),
			]);
		}),
	);
});

it('a forged call is turned away whatever its headers, and however near they come to the secret', () => {
	const near = secretText.chain((secret) =>
		fc.record({
			secret: fc.constant(secret),
			headers: fc.array(fc.tuple(headerName, nearMiss(secret)), { minLength: 1, maxLength: 5 }),
			others: otherHeaders,
			scheme: fc.constantFrom('', 'Bearer ', 'Token '),
		}),
	);
	fc.assert(
		fc.property(near, ({ secret, headers, others, scheme }) => {
			const sent = headers
				.map(([name, value]): Header => [name, scheme + value])
				// The scheme may complete what was left out: "Bearer a b" is "a b" after a scheme.
				.filter(([, value]) => value.replace(/^\S+\s+/, '').trim() !== secret);
			expect(secretHeaderNames([...sent, ...others], digestOf(secret))).toEqual([]);
		}),
		{ numRuns: 300 },
	);
});

it('a forged call is turned away if what is remembered is no digest', () => {
	const secret = 'a secret of many letters';
	const digest = digestOf(secret);
	for (const broken of ['', 'zz', '00', 'null', digest.slice(1), `${digest}00`]) {
		expect(secretHeaderNames([['x-secret', secret]], broken)).toEqual([]);
		expect(secretHeaderNames([['x-secret', '']], broken)).toEqual([]);
	}
});

it.each(['Content-Type', 'accept', 'USER-AGENT', 'Host', 'X-Forwarded-Host'])(
	'a forged call is turned away with what reads like the secret in %s, which HTTP sends by itself',
	(name) => {
		for (const onlyHeader of [undefined, name]) {
			expect(secretHeaderNames([[name, JSON_TYPE]], digestOf(JSON_TYPE), onlyHeader)).toEqual([]);
		}
		expect(secretHeaderNames([['X-Secret', JSON_TYPE]], digestOf(JSON_TYPE))).toHaveLength(1);
	},
);

it('a forged call may hold any characters without a crash', () => {
	fc.assert(
		fc.property(fc.array(anyText()), anyText(), anyText(), (raw, digest, only) => {
			expect(isGenuine(findSecretHeaders(raw, digest), only)).toBe(false);
		}),
	);
});

const secret = 'c1f0a9d3'.concat('b7e64825');
const expected = digestOf(secret);

/** How many digests were made and compared for these headers, and the lengths compared. */
function work(headers: Header[]) {
	const compare = jest.spyOn(crypto, 'timingSafeEqual');
	const digest = jest.spyOn(crypto, 'createHash');
	try {
		const names = secretHeaderNames(headers, expected);
		return {
			names,
			digests: digest.mock.calls.length,
			compared: compare.mock.calls.map(([one, other]) => [one.byteLength, other.byteLength]),
		};
	} finally {
		compare.mockRestore();
		digest.mockRestore();
	}
}

it('verifying does the same work wherever a guess differs, and wherever the right one stands', () => {
	const other: Header = ['x-other', 'Bearer of something'];
	const guesses = [
		...Array.from(secret, (_, index) => replaced(secret, index, 'Z')),
		...['Z', secret.slice(0, -1), `${secret}Z`, 'Z'.repeat(4096)],
	];
	const wrong = guesses.map((guess) => work([['x-secret', guess], other]));
	const right = [work([['x-secret', secret], other]), work([other, ['x-secret', secret]])];
	const expectedWork = { digests: 3, compared: Array(3).fill([32, 32]) };
	for (const result of wrong) expect(result).toEqual({ names: [], ...expectedWork });
	for (const result of right) expect(result).toEqual({ names: ['x-secret'], ...expectedWork });
});
