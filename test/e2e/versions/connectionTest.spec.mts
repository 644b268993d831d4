import { gzipSync } from 'node:zlib';
import { freePort, HOST } from '../../../tools/n8n/ports.mts';
import type { ConnectionTest } from '../../../tools/n8n/client.mts';
import { CONNECTED, RESPONSES, RESPONSES_BY_BODY } from '../../support/connectionTest.mts';
import { expect, test as base } from '../support/fixtures.mts';

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
	service.faults.inject({ route: '*', status: 200, body: { data: {}, meta: null } });
	expect((await testConnection()).status).toBe('OK');
});

test('the connection test says the same on each n8n', async ({ testConnection, broken, n8n }) => {
	const { isVersion1, version } = n8n.client;
	const responses = isVersion1 ? RESPONSES : [...RESPONSES, ...RESPONSES_BY_BODY];
	for (const [status, type, body, says] of responses) {
		broken.respond = (response) => {
			if (type) response.setHeader('content-type', type);
			// Some services compress for whoever takes it.
			const isCompressed = response.req.headers['accept-encoding']?.includes('gzip');
			if (isCompressed) response.setHeader('content-encoding', 'gzip');
			response.writeHead(status).end(isCompressed ? gzipSync(body) : body);
		};
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
	for (const [words, data] of [
		[/must start with https/, { baseUrl: 'http://assessment.example.com' }],
		[/contains a space, a quotation mark/, { accessToken: '"quoted"' }],
	] as const) {
		const message = expect.stringMatching(words);
		expect(await testConnection(data)).toMatchObject({ status: 'Error', message });
	}
	expect(service.requests).toHaveLength(0);
});
