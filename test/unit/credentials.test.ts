import * as fc from 'fast-check';
import type { IHttpRequestOptions } from 'n8n-workflow';
import {
	CredentialError,
	parseCredentials,
} from '../../nodes/CandidateAssessment/transport/credentials';
import { CandidateAssessmentApi } from '../../credentials/CandidateAssessmentApi.credentials';
import { anything } from './arbitraries';

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

it.each([
	['http://127.0.0.1.example.com', NOT_PRIVATE],
	['assessment.example.com', NOT_PLAIN],
	['https://assessment.example.com?tenant=7', NOT_PLAIN],
	['https://user@assessment.example.com', NOT_PLAIN],
])('the base URL cannot be %j: %s', (written, words) => {
	expect(() => connect(written)).toThrow(new CredentialError(words));
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
				const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
				expect(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)).toBe(true);
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
	'the access token and the webhook secret are what the user pasted, without blanks around it and %j',
	(before) => {
		const pasted = { accessToken: `${before}abc.def-ghi~1+/=\n`, webhookSecret: ' a secret\n' };
		const { accessToken, webhookSecret, decrypted } = connect(baseUrl, pasted);
		expect([accessToken, webhookSecret]).toEqual(['abc.def-ghi~1+/=', 'a secret']);
		expect(decrypted.data).toMatchObject({ accessToken });
	},
);

const NO_TOKEN = 'The credential has no access token';
const NOT_THE_TOKEN =
	'The Access Token in the credential contains a space, a quotation mark or a special character. Copy only the token itself.';

it.each([
	[NO_TOKEN, '', ' \n', 'Bearer ', undefined, 7],
	[NOT_THE_TOKEN, '“abc”', 'Token abc', 'abc\u200bdef', 'abc\0'],
])('an access token is refused with %j', (message, ...tokens) => {
	for (const token of tokens) {
		expect(() => connect(baseUrl, { accessToken: token })).toThrow(new CredentialError(message));
	}
});

const send = async (request: object) => {
	const { authenticate } = new CandidateAssessmentApi();
	if (typeof authenticate !== 'function') throw new Error('It is a function');
	return await authenticate({ baseUrl, accessToken }, request as IHttpRequestOptions);
};

it.each([
	{ url: 'https://assessment.example.com/anything' },
	{ uri: new URL('https://assessment.example.com:443') },
	{ baseURL: 'https://assessment.example.com', url: '/partner/v1.0' },
])(
	'the credential sends the token to the Base URL, and follows no redirect: %j',
	async (request) => {
		expect(await send({ ...request, headers: { Accept: 'text/plain' } })).toEqual({
			...request,
			headers: { Accept: 'text/plain', Authorization: `Bearer ${accessToken}` },
			...{ disableFollowRedirect: true, followRedirect: false, followAllRedirects: false },
		});
	},
);

it.each([
	{ proxy: 'http://proxy.example:8080' },
	{ agentOptions: { ca: 'a certificate' } },
	{ skipSslCertificateValidation: true },
	{ rejectUnauthorized: false },
	{ headers: { Host: 'elsewhere.example' } },
])('the credential sends the token nowhere with a connection of its own: %j', async (options) => {
	const request = { url: 'https://assessment.example.com/anything', ...options };
	await expect(send(request)).rejects.toThrow(
		/^The access token can't be sent with 'Proxy', 'Ignore SSL Issues', 'SSL Certificates' or a 'Host' header/,
	);
});

it('the credential waits for a connection test for 30 seconds', async () => {
	const url = '/partner/v1.0/standard/candidates/invitation/n8n-connection-test';
	expect(await send({ url })).toMatchObject({ timeout: 30_000 });
});

it.each([
	{ url: 'https://elsewhere.example' },
	{ url: 'http://assessment.example.com' },
	{ url: 'https://assessment.example.com:8443' },
	{ url: 'https://assessment.example.com@elsewhere.example' },
	{ baseURL: 'https://elsewhere.example', url: '/partner/v1.0' },
	{ baseURL: 'https://assessment.example.com', url: '//elsewhere.example' },
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
