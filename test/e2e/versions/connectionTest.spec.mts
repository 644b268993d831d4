import { freePort, HOST } from '../../../tools/n8n/ports.mts';
import type { ConnectionTest } from '../../../tools/n8n/client.mts';
import { RawService } from '../../support/rawService.mts';
import { expect, test as base } from '../fixtures.mts';

/** Has n8n test the credential as it does when one is saved, with other data where they are given. */
type TestConnection = (data?: object) => Promise<ConnectionTest>;

const test = base.extend<{
	testConnection: TestConnection;
	expectFailure: (words: RegExp, data?: object) => Promise<void>;
}>({
	testConnection: async ({ n8n, service, credential }, use) => {
		const { baseUrl, accessToken } = service;
		const type = { ...credential, data: { baseUrl, accessToken } };
		await use(
			async (data) => await n8n.client.testCredential({ ...type, data: { ...type.data, ...data } }),
		);
	},
	expectFailure: async ({ testConnection }, use) => {
		await use(async (words, data) => {
			const { status, message } = await testConnection(data);
			expect(status).toBe('Error');
			expect(message).toMatch(words);
		});
	},
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
	service.faults.inject({ route: '*', status: 200, body: { data: {}, meta: null } });
	expect((await testConnection()).status).toBe('OK');
});

const JSON_TYPE = 'application/json';
const NO_API = "No assessment API found at this address. Check 'Base URL' in the credential.";
const PAGE = `${NO_API} If it's right, ask n8n's administrator about a proxy or firewall in between.`;
const CONNECTED = 'Connection successful!';

/** Status, content type and body of the response; and what n8n says, whatever its version. */
const SAID: Array<[number, string, string, string]> = [
	[200, JSON_TYPE, '{"data":{}}', CONNECTED],
	[404, JSON_TYPE, '{}', CONNECTED],
	[401, JSON_TYPE, '{}', 'The access token was refused'],
	[403, JSON_TYPE, '{}', 'The access token was refused'],
	[403, 'text/html', '<html>', PAGE],
	[407, 'text/html', '<html>', 'The proxy between n8n and the service refused the request (407)'],
	[302, 'text/html', '', NO_API],
	[300, JSON_TYPE, '{}', NO_API],
	[200, 'text/html; charset=utf-8', '<html>', PAGE],
	[404, 'Text/HTML', '<html>', PAGE],
	[200, '', '', PAGE],
	[402, JSON_TYPE, '{}', 'The service refused the request (402)'],
	[429, JSON_TYPE, '{}', 'The service is receiving too many requests. Try again later.'],
	[500, JSON_TYPE, '{}', "The service couldn't process the request. Try again later."],
	[502, 'text/html', '<html>', "The service couldn't process the request. Try again later."],
];

test('the connection test says the same on each n8n', async ({ testConnection, n8n }) => {
	const service = new RawService();
	await service.start();
	const said = async (status: number, type: string, body: string) => {
		service.respond = (response) =>
			response.writeHead(status, type ? { 'content-type': type } : {}).end(body);
		return (await testConnection({ baseUrl: service.baseUrl })).message;
	};
	for (const [status, type, body, words] of SAID) {
		expect(await said(status, type, body), `${status} ${type}`).toBe(words);
	}
	// n8n 1.x shows the status and the headers only.
	const notAnObject = n8n.client.isVersion1 ? [] : ['null', '[{"data":{}}]', '"text"'];
	for (const body of notAnObject) expect(await said(200, JSON_TYPE, body)).toBe(PAGE);
	await service.stop();
	const { message } = await testConnection({ baseUrl: `http://${HOST}:${await freePort()}` });
	expect(message).toMatch(/ECONNREFUSED|refused/i);
});

test('the connection test says what is wrong with the credential, and sends nothing', async ({
	expectFailure,
	service,
}) => {
	await expectFailure(/must start with https/, { baseUrl: 'http://assessment.example.com' });
	await expectFailure(/contains a space, a quotation mark/, { accessToken: '"quoted"' });
	await expectFailure(/must have at least 16 characters/, { webhookSecret: 'too short' });
	expect(service.requests).toHaveLength(0);
});

test('the connection test gives up on a service that never answers', async ({ expectFailure }) => {
	const service = new RawService();
	await service.start();
	const began = Date.now();
	await expectFailure(/./, { baseUrl: service.baseUrl });
	expect(Date.now() - began).toBeLessThan(60_000);
	expect(service.requests).toBe(1);
	await service.stop();
});
