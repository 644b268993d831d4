import { freePort, HOST } from '../../../tools/n8n/ports.mts';
import type { ConnectionTest } from '../../../tools/n8n/client.mts';
import { expect, test as base } from '../support/fixtures.mts';

const CONNECTED = 'Connection successful!';
const NO_API = "No assessment API found at this address. Check 'Base URL' in the credential.";
const PAGE = `${NO_API} If it's correct, ask your n8n administrator about a proxy or firewall.`;
const REFUSED = 'The access token was refused. Enter a current access token.';
const REFUSED_BY_ANY =
	'The access token was refused, or a proxy or firewall refused the request. Enter a current access token, or ask your n8n administrator.';
const REFUSED_BY_PROXY =
	"The proxy between n8n and the service refused the request. Ask your n8n administrator to check the proxy user name and password in n8n's HTTPS_PROXY setting.";
const NONE_LEFT =
	"The service refused the request: your account may have no invitations left. Ask the service's support.";
const DOWN = "The service couldn't process the request. Try again later.";

const JSON_TYPE = 'application/json';

/** Status, content type and body of a response, and the connection test's message. */
const RESPONSES: Array<[status: number, type: string, body: string, says: string]> = [
	[200, JSON_TYPE, '{"data":{}}', CONNECTED],
	[404, JSON_TYPE, '{}', CONNECTED],
	[401, JSON_TYPE, '{}', REFUSED],
	[403, JSON_TYPE, '{}', REFUSED_BY_ANY],
	[403, 'text/html', '<html>', REFUSED_BY_ANY],
	[407, 'text/html', '<html>', REFUSED_BY_PROXY],
	[302, 'text/html', '', NO_API],
	[300, JSON_TYPE, '{}', NO_API],
	[200, 'text/html; charset=utf-8', '<html>', PAGE],
	[404, 'Text/HTML', '<html>', PAGE],
	[200, '', '', PAGE],
	[402, JSON_TYPE, '{}', NONE_LEFT],
	[405, JSON_TYPE, '{}', 'The service refused the request (405)'],
	[429, JSON_TYPE, '{}', 'The service is receiving too many requests. Try again later.'],
	[500, JSON_TYPE, '{}', DOWN],
	[502, 'text/html', '<html>', DOWN],
	[599, JSON_TYPE, '{}', DOWN],
];

/** Responses that n8n below 2.16 can't tell apart: it only shows status and headers. */
const RESPONSES_BY_BODY: typeof RESPONSES = ['', 'null', '[{"data":{}}]', '"text"', '~'].map(
	(body) => [200, JSON_TYPE, body, PAGE],
);

const test = base.extend<{
	/** Has n8n test the credential as it does on saving, with other data if given. */
	testConnection: (data?: object) => Promise<ConnectionTest>;
}>({
	testConnection: async ({ n8n, service: { baseUrl, accessToken }, credential }, use) =>
		await use(async (data) => {
			const entered = { baseUrl, accessToken, ...data };
			return await n8n.client.testCredential({ ...credential, data: entered });
		}),
});

test('the connection test connects, and asks for nothing that exists', async ({
	testConnection,
	service,
}) => {
	expect((await testConnection()).status).toBe('OK');
	expect(service.requests.map(({ method, status }) => [method, status])).toEqual([['GET', 404]]);
	const { baseUrl, accessToken } = service;
	const allowed = { allowedHttpRequestDomains: 'domains', allowedDomains: HOST };
	const pasted = { baseUrl: ` ${baseUrl}/partner/v1.0/ `, accessToken: `Bearer ${accessToken}` };
	for (const data of [allowed, pasted]) expect((await testConnection(data)).status).toBe('OK');
});

test('the connection test tells what is connected from what is not, on each n8n', async ({
	testConnection,
	broken,
	n8n,
}) => {
	const { isVersion1, version } = n8n.client;
	const responses = isVersion1 ? RESPONSES : [...RESPONSES, ...RESPONSES_BY_BODY];
	for (const [status, type, body, says] of responses) {
		broken.respond = (response) =>
			response.writeHead(status, type ? { 'content-type': type } : {}).end(body);
		const { message } = await testConnection({ baseUrl: broken.baseUrl });
		const isFailure = status >= 300 && status !== 404;
		// From 2.16 to 2.33, n8n has its own message for a failure.
		if (version.startsWith('2.33') && isFailure) expect(message).not.toBe(CONNECTED);
		else expect(message, `${status} ${type} ${body}`).toBe(says);
	}
	const { message } = await testConnection({ baseUrl: `http://${HOST}:${await freePort()}` });
	expect(message).toMatch(/ECONNREFUSED|refused/i);
});

test('the connection test says what is wrong with the credential, and sends nothing', async ({
	testConnection,
	service,
}) => {
	expect(await testConnection({ accessToken: '"quoted"' })).toMatchObject({
		status: 'Error',
		message: expect.stringContaining('contains a space, a quotation mark'),
	});
	expect(service.requests).toHaveLength(0);
});
