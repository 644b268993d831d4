import { freePort, HOST } from '../../../tools/n8n/ports.mts';
import type { ConnectionTest } from '../../../tools/n8n/client.mts';
import { expect, test as base } from '../fixtures.mts';

/** Has n8n test the credential as it does when one is saved, with other data where they are given. */
type TestConnection = (data?: object) => Promise<ConnectionTest>;

const test = base.extend<{ testConnection: TestConnection }>({
	testConnection: async ({ n8n, service, credential }, use) => {
		const { baseUrl, accessToken } = service;
		await use(
			async (data) =>
				await n8n.client.testCredential({
					...credential,
					data: { baseUrl, accessToken, ...data },
				}),
		);
	},
});

test('the connection test connects', async ({ testConnection, service }) => {
	expect((await testConnection()).status).toBe('OK');
	expect(service.requests).toHaveLength(1);
});

test('the connection test says that the token was refused', async ({ testConnection }) => {
	expect(await testConnection({ accessToken: 'another' })).toEqual({
		status: 'Error',
		message: 'The access token was refused',
	});
});

test('the connection test says that a web page is not the API', async ({
	testConnection,
	service,
}) => {
	const found = await testConnection({ baseUrl: `${service.baseUrl}/pages` });
	service.faults.inject({ route: '*', body: '<html></html>', contentType: 'text/html' });
	const page = await testConnection();
	for (const { status, message } of [found, page]) {
		expect(status).toBe('Error');
		expect(message).toMatch(/^No assessment API found at this address/);
	}
	expect(service.requests.map(({ status }) => status)).toEqual([200]);
});

test('the connection test says what keeps it from connecting', async ({
	testConnection,
	service,
	n8n,
}) => {
	const after = async (fault: object) => {
		service.faults.inject({ route: '*', ...fault });
		const { status, message } = await testConnection();
		expect(status).toBe('Error');
		return message;
	};
	expect(await after({ status: 300 })).toMatch(/^No assessment API found/);
	expect(await after({ status: 402 })).toBe('The service refused the request (402)');
	expect(await after({ status: 407 })).toBe('The service refused the request (407)');
	expect(await after({ status: 403 })).toBe('The access token was refused');
	expect(await after({ status: 503 })).toMatch(/Try again later/);
	expect(await after({ redirectTo: service.baseUrl })).toMatch(/^No assessment API found/);
	// n8n 1.x shows the status and the headers only.
	if (n8n.client.version.startsWith('1.')) return;
	for (const body of ['null', '[]', '[{"data":{}}]', '7', '"text"', 'true']) {
		expect(await after({ status: 200, body, contentType: 'application/json' })).toMatch(
			/^No assessment API found/,
		);
	}
});

test('the connection test gives the reason where nothing answers', async ({ testConnection }) => {
	const { status, message } = await testConnection({
		baseUrl: `http://${HOST}:${await freePort()}`,
	});
	expect(status).toBe('Error');
	expect(message).toMatch(/ECONNREFUSED|refused/i);
});
