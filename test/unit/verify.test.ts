import crypto from 'crypto';
import * as fc from 'fast-check';
import { digestOf } from '../../nodes/CandidateAssessment/trigger/secret';
import {
	findSecretHeaders,
	isGenuine,
	isHttpHeader,
} from '../../nodes/CandidateAssessment/trigger/verify';
import { anyText } from './arbitraries';

const JSON_TYPE = 'application/json';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const NAME_CHARACTERS = [...LETTERS, ...'-_!#$%&*+.^`|~'];
const VISIBLE = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));

/** In one word, as a derived secret is. */
const wordSecret = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 16, maxLength: 64 });

/** As somebody may choose one: any visible characters, with blanks between them. */
const chosenSecret = fc
	.string({ unit: fc.constantFrom(...VISIBLE, ' '), minLength: 16, maxLength: 40 })
	.filter((secret) => secret === secret.trim());

const headerName = fc
	.oneof(
		fc.string({ unit: fc.constantFrom(...NAME_CHARACTERS), minLength: 1, maxLength: 20 }),
		fc.constantFrom('X-Webhook-Secret', 'authorization', 'Cookie', '__proto__', 'constructor'),
	)
	.filter((name) => !isHttpHeader(name));
const headerValue = fc.oneof(
	fc.string({ unit: fc.constantFrom(...VISIBLE, ' ', '\t'), maxLength: 80 }),
	fc.string({ unit: 'binary', maxLength: 20 }),
	fc.constantFrom('', ' ', 'Bearer', 'Bearer ', 'null', 'undefined', 'true', '[object Object]'),
);
type Header = [string, string];
const otherHeaders = fc.array(fc.tuple(headerName, headerValue), { maxLength: 8 });
const anyCase = (name: string) => fc.mixedCase(fc.constant(name)).map((mixed): string => mixed);
const schemes = fc.constantFrom('Bearer', 'bearer', 'Token', 'Basic', 'Secret:', 'v1');

/** What follows the name on the wire, with or without a scheme and blanks around it. */
const genuineValue = (secret: string) =>
	fc.oneof(
		fc.constant(secret),
		fc.tuple(schemes, fc.constantFrom(' ', '  ', '\t')).map((parts) => parts.join('') + secret),
		fc.constantFrom(` ${secret}`, `${secret}\t`, ` ${secret} `),
	);

/** The secret, but not quite. */
const nearMiss = (secret: string): fc.Arbitrary<string> => {
	const at = fc.nat(secret.length - 1);
	const letter = fc.constantFrom(...LETTERS);
	return fc
		.oneof(
			fc.tuple(at, letter).map(([index, other]) => replaced(secret, index, other)),
			at.map((length) => secret.slice(0, length)),
			fc.tuple(fc.nat(secret.length), letter).map(([index, more]) => inserted(secret, index, more)),
			fc.constantFrom(
				secret.toUpperCase(),
				secret.toLowerCase(),
				secret.repeat(2),
				`${secret}, ${secret}`,
				`"${secret}"`,
				`secret=${secret}`,
				`Bearer:${secret}`,
				`Bearer one two ${secret}`,
				`${secret} Bearer`,
				`${secret}\0`,
				Buffer.from(secret).toString('base64'),
				digestOf(secret),
				'',
			),
		)
		.filter((value) => value.trim() !== secret);
};

function replaced(text: string, index: number, letter: string): string {
	return text.slice(0, index) + letter + text.slice(index + 1);
}

function inserted(text: string, index: number, letter: string): string {
	return text.slice(0, index) + letter + text.slice(index);
}

/** The names of the headers that carry the secret, and count. */
const found = (headers: Header[], digest: string, onlyHeader?: string) =>
	[...findSecretHeaders(headers.flat(), digest).keys()].filter((name) =>
		isGenuine(new Map([[name, '']]), onlyHeader),
	);

/** One header among the others, at any place. */
const among = (header: fc.Arbitrary<Header>, others: fc.Arbitrary<Header[]> = otherHeaders) =>
	fc
		.tuple(header, others, fc.nat(8))
		.map(([one, rest, at]) => [...rest.slice(0, at), one, ...rest.slice(at)]);

describe('A genuine call', () => {
	const genuine = fc.oneof(wordSecret, chosenSecret).chain((secret) =>
		headerName.chain((name) =>
			fc.record({
				secret: fc.constant(secret),
				name: fc.constant(name),
				headers: among(fc.tuple(anyCase(name), genuineValue(secret))),
				onlyHeader: fc.oneof(fc.constantFrom(undefined, ''), anyCase(name)),
			}),
		),
	);

	it('is let in whatever header carries the secret, with or without a scheme, beside any others', () => {
		fc.assert(
			fc.property(genuine, ({ secret, name, headers, onlyHeader }) => {
				expect(found(headers, digestOf(secret), onlyHeader)).toEqual([name.toLowerCase()]);
			}),
			{ numRuns: 1000 },
		);
	});

	it('has every header named that carries the secret, so that none is passed on', () => {
		const secret = 'a secret of many letters';
		const headers: Header[] = [
			['X-One', secret],
			['X-Two', 'other'],
			['x-three', `Token ${secret}`],
			['X-ONE', 'other'],
		];
		expect(found(headers, digestOf(secret))).toEqual(['x-one', 'x-three']);
	});
});

describe('A forged call', () => {
	it('is turned away whatever its headers', () => {
		fc.assert(
			fc.property(
				otherHeaders,
				wordSecret,
				fc.option(headerName, { nil: undefined }),
				(headers, secret, onlyHeader) => {
					expect(found(headers, digestOf(secret), onlyHeader)).toEqual([]);
				},
			),
			{ numRuns: 1000 },
		);
	});

	it('is turned away however near it comes to the secret', () => {
		const call = wordSecret.chain((secret) =>
			fc.record({
				secret: fc.constant(secret),
				headers: fc.array(
					fc.tuple(headerName, nearMiss(secret)).map(([name, value]): Header => [name, value]),
					{ minLength: 1, maxLength: 5 },
				),
				scheme: fc.constantFrom('', 'Bearer ', 'Token '),
			}),
		);
		fc.assert(
			fc.property(call, ({ secret, headers, scheme }) => {
				const sent = headers
					.map(([name, value]): Header => [name, scheme + value])
					// The scheme may complete what was left out: "Bearer a b" is "a b" after a scheme.
					.filter(([, value]) => value.replace(/^\S+\s+/, '').trim() !== secret);
				expect(found(sent, digestOf(secret))).toEqual([]);
			}),
			{ numRuns: 2000 },
		);
	});

	it('is turned away if what is remembered is no digest', () => {
		const broken = fc.oneof(
			fc.constantFrom('', 'zz', '00', 'null'),
			fc.string(),
			wordSecret.map((secret) => digestOf(secret).slice(1)),
			wordSecret.map((secret) => `${digestOf(secret)}00`),
		);
		fc.assert(
			fc.property(wordSecret, broken, (secret, digest) => {
				expect(found([['x-secret', secret]], digest)).toEqual([]);
				expect(found([['x-secret', '']], digest)).toEqual([]);
			}),
			{ numRuns: 500 },
		);
	});

	it.each(['Content-Type', 'accept', 'USER-AGENT', 'Host', 'X-Forwarded-Host'])(
		'is turned away with what reads like the secret in %s, which HTTP sends by itself',
		(name) => {
			for (const onlyHeader of [undefined, name]) {
				expect(found([[name, JSON_TYPE]], digestOf(JSON_TYPE), onlyHeader)).toEqual([]);
			}
			expect(found([['X-Webhook-Secret', JSON_TYPE]], digestOf(JSON_TYPE))).toHaveLength(1);
		},
	);

	it('may hold any characters without a crash', () => {
		fc.assert(
			fc.property(fc.array(anyText()), anyText(), anyText(), (raw, digest, only) => {
				expect(isGenuine(findSecretHeaders(raw, digest), only)).toBe(false);
			}),
			{ numRuns: 1000 },
		);
	});
});

describe('Verifying', () => {
	const secret = 'c1f0a9d3'.concat('b7e64825');
	const expected = digestOf(secret);

	/** How many digests were made and compared for these headers, and the lengths compared. */
	function work(headers: Header[]) {
		const compare = jest.spyOn(crypto, 'timingSafeEqual');
		const digest = jest.spyOn(crypto, 'createHash');
		try {
			const names = found(headers, expected);
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

	const others: Header[] = [
		['host', 'n8n.example.com'],
		['x-other', 'Bearer of something'],
	];

	it('does the same work wherever a guess differs from the secret, and where it does not', () => {
		const guesses = [
			...Array.from(secret, (_, index) => replaced(secret, index, 'Z')),
			'Z'.repeat(secret.length),
			'Z',
			secret.slice(0, -1),
			`${secret}Z`,
			'Z'.repeat(4096),
			secret,
		];
		const works = guesses.map((guess) => work([['x-secret', guess], ...others]));
		const [first] = works;
		expect(first.digests).toBe(4);
		expect(first.compared).toEqual(Array.from({ length: 4 }, () => [32, 32]));
		for (const { digests: made, compared } of works) {
			expect({ made, compared }).toEqual({ made: first.digests, compared: first.compared });
		}
		expect(works.map(({ names }) => names.length)).toEqual([...guesses.slice(1).map(() => 0), 1]);
	});

	it('does not stop at the header that is right', () => {
		const right: Header = ['x-secret', secret];
		const first = work([right, ...others]);
		const last = work([...others, right]);
		const never = work([...others, ['x-secret', replaced(secret, 0, 'Z')]]);
		expect([first.digests, last.digests]).toEqual([never.digests, never.digests]);
		expect(first.compared).toEqual(never.compared);
		expect(last.compared).toEqual(never.compared);
		expect([first, last, never].map(({ names }) => names)).toEqual([
			['x-secret'],
			['x-secret'],
			[],
		]);
	});
});
