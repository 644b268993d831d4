/** Runs n8n behind a company's proxy that refuses the service's address. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createCredential } from '../../support/credentials.mts';
import { runAction } from '../support/workflows.mts';
import { expect, test } from '../support/fixtures.mts';

const BASE_URL = 'https://assessment.example.com';

const proxy = createServer().on('connect', (_request, socket) => {
	const page = '<!doctype html><title>Blocked by the company</title>';
	const head = 'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Type: text/html';
	socket.end(`${head}\r\nContent-Length: ${page.length}\r\n\r\n${page}`);
});

test.beforeAll(async ({ n8n }) => {
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	await n8n.restart({
		HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
		NO_PROXY: 'localhost,127.0.0.1',
		WEBHOOK_URL: 'https://n8n.example.com/',
		N8N_WEBHOOK_URL: 'https://n8n.example.com/',
	});
});

test.afterAll(() => proxy.close());

test('a proxy that wants a password is named by the connection test and by Get', async ({
	n8n: { client },
}) => {
	const data = { baseUrl: BASE_URL, accessToken: 'a-token' };
	const credential = await createCredential(client, data);
	const { message } = await client.testCredential({ ...credential, data });
	expect(message).toMatch(/^The proxy between .* HTTPS_PROXY setting\.$/);

	const link = { __rl: true, mode: 'code', value: 'inv-1' };
	const parameters = { resource: 'candidate', operation: 'get', invitationCode: link };
	const execution = await runAction(client, credential, parameters);
	const { error } = execution.data.resultData;
	expect(error?.message).toBe('The proxy between n8n and the service refused the request');
	expect(error?.description).toContain('The page replied: Blocked by the company');
});
