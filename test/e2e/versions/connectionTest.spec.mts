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

test('the connection test connects, or says that the token was refused', async ({
	testConnection,
	service,
}) => {
	expect((await testConnection()).status).toBe('OK');
	expect(service.requests).toHaveLength(1);
	expect(await testConnection({ accessToken: 'another' })).toEqual({
		status: 'Error',
		message: 'The access token was refused',
	});
});

test('the connection test says what keeps it from connecting', async ({
	testConnection,
	service,
	n8n,
}) => {
	const NOT_THE_API = /^No assessment API found at this address/;
	const fails = async (words: RegExp, data?: object) => {
		const { status, message } = await testConnection(data);
		expect(status).toBe('Error');
		expect(message).toMatch(words);
	};
	await fails(/ECONNREFUSED|refused/i, { baseUrl: `http://${HOST}:${await freePort()}` });
	await fails(NOT_THE_API, { baseUrl: `${service.baseUrl}/pages` });
	const page = { body: '<html></html>', contentType: 'text/html' };
	const faults: Array<[object, RegExp]> = [
		[page, NOT_THE_API],
		[{ status: 300 }, NOT_THE_API],
		[{ redirectTo: service.baseUrl }, NOT_THE_API],
		[{ status: 402 }, /^The service refused the request \(402\)$/],
		[{ status: 503 }, /Try again later/],
	];
	// n8n 1.x shows the status and the headers only.
	if (!n8n.client.version.startsWith('1.')) {
		for (const body of ['null', '[{"data":{}}]', '"text"']) {
			faults.push([{ status: 200, body, contentType: 'application/json' }, NOT_THE_API]);
		}
	}
	for (const [fault, words] of faults) {
		service.faults.inject({ route: '*', ...fault });
		await fails(words);
	}
});
