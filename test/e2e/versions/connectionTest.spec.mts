import { freePort, HOST } from '../../../tools/n8n/ports.mts';
import type { ConnectionTest } from '../../../tools/n8n/client.mts';
import { RawService } from '../../support/rawService.mts';
import { expect, test as base } from '../fixtures.mts';

const NOT_THE_API = /^No assessment API found at this address/;

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
	const allowed = { allowedHttpRequestDomains: 'domains', allowedDomains: 'files.example.com' };
	const pasted = { baseUrl: ` ${baseUrl}/partner/v1.0/ `, accessToken: `Bearer ${accessToken}` };
	for (const data of [allowed, pasted]) expect((await testConnection(data)).status).toBe('OK');
	service.faults.inject({ route: '*', status: 200, body: { data: {}, meta: null } });
	expect((await testConnection()).status).toBe('OK');
});

test('the connection test says what keeps it from connecting', async ({
	expectFailure,
	service,
	n8n,
}) => {
	await expectFailure(/^The access token was refused$/, { accessToken: 'another' });
	await expectFailure(/ECONNREFUSED|refused/i, { baseUrl: `http://${HOST}:${await freePort()}` });
	await expectFailure(NOT_THE_API, { baseUrl: `${service.baseUrl}/pages` });
	const faults: Array<[object, RegExp]> = [
		[{ status: 403 }, /^The access token was refused$/],
		[{ body: '<html></html>', contentType: 'text/html' }, NOT_THE_API],
		[{ status: 300 }, NOT_THE_API],
		[{ redirectTo: service.baseUrl }, NOT_THE_API],
		[{ status: 402 }, /^The service refused the request \(402\)$/],
		[{ status: 407 }, /^The service refused the request \(407\)$/],
		[{ status: 429 }, /Try again later/],
		[{ status: 503 }, /Try again later/],
	];
	// n8n 1.x shows the status and the headers only.
	if (!n8n.client.isVersion1) {
		for (const body of ['', 'null', '[{"data":{}}]', '"text"']) {
			faults.push([{ status: 200, body, contentType: 'application/json' }, NOT_THE_API]);
		}
	}
	for (const [fault, words] of faults) {
		service.faults.inject({ route: '*', ...fault });
		await expectFailure(words);
	}
});

test('the connection test says what is wrong with the credential, and sends nothing', async ({
	expectFailure,
	service,
}) => {
	await expectFailure(/must begin with https/, { baseUrl: 'http://assessment.example.com' });
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
