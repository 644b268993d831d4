import { setUp } from './setup';

const setup = setUp();
const NOT_THE_API = /^No assessment API found at this address/;

const testWith = async (credential = {}) =>
	await setup.createNodeTestHarness(credential).testConnection();

/** What the test says when the service answers like this. */
async function testAfter(fault: object): Promise<string | undefined> {
	setup.service.faults.inject({ route: '*', ...fault });
	return await testWith();
}

describe("The credential's connection test", () => {
	it('connects where the service knows the token, and asks for nothing that exists', async () => {
		expect(await testWith()).toBeUndefined();
		expect(setup.service.requests).toEqual([
			expect.objectContaining({
				method: 'GET',
				path: '/partner/v1.0/standard/candidates/invitation/n8n-connection-test',
				status: 404,
			}),
		]);
	});

	it('connects also where the service finds something, and however the credential was pasted', async () => {
		expect(await testAfter({ status: 200, body: { data: {}, meta: null } })).toBeUndefined();
		const { baseUrl, accessToken } = setup.service;
		for (const path of ['// ', '/partner/v1.0/', '/partner/v1.0/standard/candidates']) {
			const pasted = { baseUrl: ` ${baseUrl}${path}`, accessToken: `Bearer ${accessToken}` };
			expect(await testWith(pasted)).toBeUndefined();
		}
	});

	it.each(['', 'files.example.com'])(
		'connects whatever other domains the credential allows: %j',
		async (allowedDomains) => {
			const allowed = { allowedHttpRequestDomains: 'domains', allowedDomains };
			expect(await testWith(allowed)).toBeUndefined();
		},
	);

	it('says that the token was refused', async () => {
		expect(await testWith({ accessToken: 'wrong' })).toBe('The access token was refused');
		expect(await testAfter({ status: 403 })).toBe('The access token was refused');
	});

	it.each([
		['a web page', { status: 200, body: '<html></html>', contentType: 'text/html' }],
		['a plain text', { status: 200, body: 'hello' }],
		['an empty answer', { status: 200, body: '' }],
		['a list', { status: 200, body: [{ data: {} }] }],
		['a JSON text', { status: 200, body: '"hello"', contentType: 'application/json' }],
		['null', { status: 200, body: 'null', contentType: 'application/json' }],
		['a redirect', { redirectTo: 'https://www.example.com' }],
		['a choice of addresses', { status: 300 }],
	])('says that it is not the API where %s answers', async (_case, answer) => {
		expect(await testAfter(answer)).toMatch(NOT_THE_API);
	});

	it.each([402, 407])('is no connection after %i', async (status) => {
		expect(await testAfter({ status })).toBe(`The service refused the request (${status})`);
	});

	it.each([429, 503])('says that the service is in trouble: %i', async (status) => {
		expect(await testAfter({ status })).toMatch(/Try again later/);
	});

	it('gives the reason where there is no connection', async () => {
		expect(await testWith({ baseUrl: 'http://127.0.0.1:1' })).toBe('ECONNREFUSED');
	});

	it.each([
		['baseUrl', 'http://assessment.example.com', /must begin with https/],
		['baseUrl', 'assessment.example.com', /must be a plain web address/],
		['baseUrl', '', /must be a plain web address/],
		['accessToken', '"quoted"', /contains a space, a quotation mark/],
		['accessToken', ' ', /has no access token/],
		['webhookSecret', 'too short', /Webhook Secret .* must have at least 16 characters/],
		['webhookSecret', 'mit Umläuten geschrieben', /Webhook Secret .* without accents/],
	])('says what is wrong with %s %j, and sends nothing', async (field, value, message) => {
		expect(await testWith({ [field]: value })).toMatch(message);
		expect(setup.service.requests).toHaveLength(0);
	});
});
