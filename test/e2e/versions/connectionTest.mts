import assert from 'node:assert/strict';

import type { Demo } from '../../../demo/demo.mts';
import { freePort, HOST } from '../../../tools/n8n/ports.mts';
import type { Check } from '../../support/checks.mts';
import { createCredential } from '../../support/credentials.mts';

/** What n8n says when a credential is saved and tested. */
export async function checkConnectionTest(check: Check, demo: Demo): Promise<void> {
	const { client, service } = demo;
	const credential = await createCredential(client, service);
	const test = async (data: object = {}) =>
		await client.testCredential({
			...credential,
			data: { baseUrl: service.baseUrl, accessToken: service.accessToken, ...data },
		});

	await check('the connection test connects', async () => {
		service.clearRequests();
		assert.equal((await test()).status, 'OK');
		assert.equal(service.requests.length, 1);
	});
	await check('the connection test says that the token was refused', async () => {
		assert.deepEqual(await test({ accessToken: 'another' }), {
			status: 'Error',
			message: 'The access token was refused',
		});
	});
	await check('the connection test says that a web page is not the API', async () => {
		service.clearRequests();
		const found = await test({ baseUrl: `${service.baseUrl}/pages` });
		service.faults.inject({ route: '*', body: '<html></html>', contentType: 'text/html' });
		const page = await test();
		for (const { status, message } of [found, page]) {
			assert.equal(status, 'Error');
			assert.match(message, /^This is not the API's address/);
		}
		assert.deepEqual(
			service.requests.map((request) => request.status),
			[200],
		);
	});
	await check('the connection test gives the reason where nothing answers', async () => {
		const { status, message } = await test({ baseUrl: `http://${HOST}:${await freePort()}` });
		assert.equal(status, 'Error');
		assert.match(message, /ECONNREFUSED|refused/i);
	});
}
