import * as fc from 'fast-check';
import type { IHttpRequestOptions } from 'n8n-workflow';
import {
	CredentialError,
	isThisMachine,
	parseCredentials,
} from '../../nodes/CandidateAssessment/transport/credentials';
import { CandidateAssessmentApi } from '../../credentials/CandidateAssessmentApi.credentials';
import { leadsToThisMachine } from '../support/thisMachine.mts';
import { anything } from './support/arbitraries';

const baseUrl = 'https://assessment.example.com/api';
const accessToken = 'token-of-this-account';
const connect = (baseUrl: unknown, more: object = {}) =>
	parseCredentials({ baseUrl, accessToken, ...more } as Parameters<typeof parseCredentials>[0]);

const NOT_PLAIN =
	'The Base URL in the credential must be a plain web address, e.g. https://assessment.example.com';
const NOT_PRIVATE =
	'The Base URL in the credential must start with https://, so that the access token stays private';

it.each([
	[' HTTPS://Assessment.Example.COM///\n', 'https://assessment.example.com'],
	['https://assessment.example.com:8443/a/../api/', 'https://assessment.example.com:8443/api'],
	[
		`https://assessment.example.com/api/partner/v1.0/standard`,
		'https://assessment.example.com/api',
	],
	['https://assessment.example.com/partner', 'https://assessment.example.com/partner'],
])('the base URL %j is used as %s', (written, used) => {
	expect(connect(written).baseUrl).toBe(used);
});

it.each(['?tenant=7', '#top', '@evil.example', '\\evil'])(
	'the base URL cannot end in %s',
	(end) => {
		expect(() => connect(`https://assessment.example.com${end}`)).toThrow(NOT_PLAIN);
	},
);

it('an address of this machine is recognized, however it is written, and no other', () => {
	const byte = fc.constantFrom<number[]>(0, 1, 7, 126, 127, 128, 255);
	const ipv4 = fc.oneof(
		fc.constant<number[]>([0, 0, 0, 0]),
		fc.tuple(fc.constant<number>(127), byte, byte, byte),
		fc.tuple(byte, byte, byte, byte),
	);
	const inOne = (bytes: number[]) => bytes.reduce((sum, part) => sum * 256 + part);
	const spelling = fc.constantFrom<(bytes: number[]) => string>(
		(bytes) => bytes.join('.'),
		(bytes) => `${bytes.join('.')}.`,
		(bytes) => bytes.map((part) => `0x${part.toString(16)}`).join('.'),
		(bytes) => bytes.map((part) => `0${part.toString(8)}`).join('.'),
		(bytes) => String(inOne(bytes)),
		(bytes) => `${bytes[0]}.${inOne(bytes.slice(1))}`,
		(bytes) => `[::ffff:${bytes.join('.')}]`,
		(bytes) => `[0:0:0:0:0:FFFF:${bytes.join('.')}]`,
	);
	fc.assert(
		fc.property(ipv4, spelling, (bytes, spell) => {
			const isOwn = leadsToThisMachine(bytes.join('.'));
			expect(isThisMachine(new URL(`https://${spell(bytes)}`))).toBe(isOwn);
		}),
		{ numRuns: 2000 },
	);
	fc.assert(
		fc.property(fc.ipV6(), (address) => {
			const isOwn = leadsToThisMachine(address);
			expect(isThisMachine(new URL(`https://[${address}]`))).toBe(isOwn);
		}),
		{ examples: [['::'], ['0:0::1'], ['::2'], ['1::'], ['::ffff:0:1'], ['::ffff:7f0:1']] },
	);
	for (const name of ['localhost', 'LocalHost.', 'n8n.localhost', '%6cocalhost']) {
		expect(isThisMachine(new URL(`https://${name}`))).toBe(true);
	}
	for (const name of ['localhost.example.com', 'mylocalhost', '127.0.0.1.example.com']) {
		expect(isThisMachine(new URL(`https://${name}`))).toBe(false);
	}
});

it('a base URL leads to its own host over a private connection, or is refused', () => {
	const part = fc.constantFrom(
		...['https:', 'http:', '//', '/', '\\', '@', ':', '?', '#', '..', '%2e', '\t', '\n', ' '],
		...['localhost', '127.0.0.1', '[::1]', 'assessment.example.com', 'evil.example', '443'],
	);
	const hostile = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
	const near = fc
		.tuple(fc.constantFrom('https://assessment.example.com', 'http://localhost:3000'), hostile)
		.map((parts) => parts.join(''));
	let accepted = 0;
	fc.assert(
		fc.property(fc.oneof(near, hostile, fc.webUrl(), anything), (written) => {
			try {
				const { baseUrl } = connect(written);
				accepted++;
				const url = new URL(`${baseUrl}/partner/v1.0/webhooks`);
				expect(url.origin).toBe(new URL(written as string).origin);
				expect(url.protocol === 'https:' || isThisMachine(url)).toBe(true);
				expect(url.protocol).toMatch(/^https?:$/);
				expect(url.username + url.password + url.search + url.hash).toBe('');
				expect(baseUrl).not.toMatch(/\/$/);
				expect(url.pathname.endsWith('/partner/v1.0/webhooks')).toBe(true);
			} catch (error) {
				expect(error).toBeInstanceOf(CredentialError);
				expect([NOT_PLAIN, NOT_PRIVATE]).toContain((error as Error).message);
			}
		}),
		{ numRuns: 3000 },
	);
	expect(accepted).toBeGreaterThan(100);
});

it.each(['', 'Bearer ', 'bearer   ', ' BEARER\t'])(
	'the access token is what the user pasted, without blanks around it and %j',
	(before) => {
		const pasted = { accessToken: `${before}abc.def-ghi~1+/=\n` };
		const { accessToken, decrypted } = connect(baseUrl, pasted);
		expect(accessToken).toBe('abc.def-ghi~1+/=');
		expect(decrypted.data).toMatchObject({ accessToken });
	},
);

const NO_TOKEN = 'The credential has no access token';
const NOT_THE_TOKEN =
	'The Access Token in the credential contains a space, a quotation mark or a special character. Copy only the token itself.';
const PLACEHOLDER =
	"The Access Token in the credential holds n8n's placeholder for a hidden value. Enter it again.";

it.each([
	[NO_TOKEN, '', ' \n', 'Bearer ', undefined, 7],
	[NOT_THE_TOKEN, '“abc”', 'Token abc', 'abc\u200bdef', 'abc\0'],
	[
		PLACEHOLDER,
		`__n8n_BLANK_VALUE_${crypto.randomUUID()}`,
		'=__n8n_BLANK_VALUE_1',
		'Bearer __n8n_BLANK_VALUE_1',
	],
])('an access token is refused with %j', (message, ...tokens) => {
	for (const token of tokens) {
		expect(() => connect(baseUrl, { accessToken: token })).toThrow(new CredentialError(message));
	}
});

const send = async (request: object, more = {}) => {
	const { authenticate } = new CandidateAssessmentApi();
	if (typeof authenticate !== 'function') throw new Error('It is a function');
	return await authenticate({ baseUrl, accessToken, ...more }, request as IHttpRequestOptions);
};

it.each([
	{ url: 'https://assessment.example.com/anything' },
	{ uri: new URL('https://assessment.example.com:443') },
	{ baseURL: 'https://assessment.example.com', url: '/partner/v1.0' },
])(
	'the credential sends the token to the Base URL, and follows no redirect: %j',
	async (request) => {
		const headers = { accept: 'text/plain', host: new URL(baseUrl).host };
		expect(await send({ ...request, headers: { Accept: 'text/plain' } })).toEqual({
			...request,
			headers: { ...headers, authorization: `Bearer ${accessToken}` },
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	},
);

it.each([
	{ proxy: 'http://proxy.example:8080' },
	{ agentOptions: { ca: 'a certificate' } },
	{ skipSslCertificateValidation: true },
	{ rejectUnauthorized: false },
	// The response would repeat the token.
	{ method: 'trace' },
])('the credential sends the token nowhere where it could be read: %j', async (options) => {
	const request = { url: 'https://assessment.example.com/anything', ...options };
	await expect(send(request)).rejects.toThrow(
		/^To protect the access token, this credential can't be used with 'Proxy', 'Ignore SSL Issues', 'SSL Certificates', or TRACE/,
	);
});

it.each([
	{ url: 'https://elsewhere.example' },
	{ url: 'http://assessment.example.com' },
	{ url: 'https://assessment.example.com:8443' },
	{ url: 'https://assessment.example.com@elsewhere.example' },
	{ baseURL: 'https://elsewhere.example', url: '/partner/v1.0' },
	{ baseURL: 'https://assessment.example.com', url: '//elsewhere.example' },
	{ baseURL: 'https://assessment.example.com', url: 'HTTPS://elsewhere.example' },
	{ baseURL: 'https://elsewhere.example', url: ' https://assessment.example.com' },
	{ baseURL: 'https://elsewhere.example', url: '\\\\assessment.example.com' },
	{ baseURL: 'http://elsewhere.example', url: 'https:assessment.example.com' },
	{ url: '/partner/v1.0' },
	{},
])('the credential sends the token nowhere else: %j', async (request) => {
	await expect(send(request)).rejects.toThrow(
		/^The access token can only be sent to the Base URL in its credential/,
	);
});

it('the connection test waits for 30 seconds', async () => {
	const { request } = new CandidateAssessmentApi().test;
	expect(request).toMatchObject({ method: 'GET', disableFollowRedirect: true });
	const test = { url: request.url, baseURL: 'https://other.example' };
	expect(await send(test)).toMatchObject({ baseURL: baseUrl, timeout: 30_000 });
});
