import { ada, call, candidatesPath, required, retrieve, start, today } from './support';

const endpoints = (webhookId: string): Array<[string, string, unknown]> => [
	['POST', candidatesPath, ada],
	['GET', `${candidatesPath}/invitation/abc`, undefined],
	['PUT', `/partner/v1.0/webhooks/${webhookId}`, {}],
	['PUT', `/partner/v1.0/webhooks/${webhookId}/status`, { status: 'active' }],
	['DELETE', `/partner/v1.0/webhooks/${webhookId}`, undefined],
];

it.each([
	['401 without a token', { authorization: '' }, 401],
	['401 with another token', { authorization: 'Bearer other' }, 401],
	['401 with the token but no scheme', { authorization: 'the-token' }, 401],
	['406 without Accept: application/json', { accept: 'text/html' }, 406],
	['415 with another Content-Type', { 'content-type': 'text/plain' }, 415],
	['415 without a Content-Type', { 'content-type': '' }, 415],
])('every endpoint responds %s', async (_what, change, expected) => {
	const service = await start({ accessToken: 'the-token' });
	for (const [method, path, body] of endpoints(service.webhookId)) {
		const headers = { ...required(service), ...change };
		const response = await call(service, method, path, body, headers);
		expect([method, path, response.status]).toEqual([method, path, expected]);
		expect(response.body.error.details).toEqual([]);
		expect(JSON.stringify(response.body)).not.toContain('the-token');
	}
	expect(service.invitations).toHaveLength(0);
	expect(service.webhooks).toMatchObject([{ status: 'inactive', is_deleted: false }]);
});

it('any other path of the API is 404 in JSON', async () => {
	const service = await start();
	for (const path of [candidatesPath, '/partner/v2.0/standard/candidates', '/partner']) {
		const { status, body } = await call(service, 'GET', path);
		expect([path, status, body.error.code]).toEqual([path, 404, 'not_found']);
	}
});

it('each start makes a new token, and listens on the loopback interface', async () => {
	const [first, second] = [await start(), await start()];
	expect(first.accessToken).not.toBe(second.accessToken);
	expect(first.accessToken.length).toBeGreaterThanOrEqual(32);
	expect(first.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

it('each API request is recorded, with its status and whether it was processed', async () => {
	const service = await start();
	const path = `${candidatesPath}?x=1`;
	await call(service, 'POST', path, ada);
	await call(service, 'POST', candidatesPath, { ...ada, job_id: 1 });
	await call(service, 'GET', '/', undefined, {});
	const headers = { authorization: `Bearer ${service.accessToken}` };
	expect(service.requests).toMatchObject([
		{
			...{ route: 'createInvitation', method: 'POST', path, headers, body: ada },
			...{ at: today, status: 200, inFlight: 1, processed: true },
		},
		{ status: 400, body: { job_id: 1 }, processed: false },
	]);
	service.clearRequests();
	expect(service.requests).toHaveLength(0);
});

it('requests in flight are counted', async () => {
	const service = await start();
	service.faults.inject({ route: '*', times: 4, delayMs: 100 });
	await Promise.all(['a', 'b', 'c', 'd'].map(async (code) => await retrieve(service, code)));
	expect(service.requests.map(({ inFlight }) => inFlight)).toEqual([1, 2, 3, 4]);
	await retrieve(service, 'e');
	expect(service.requests[4].inFlight).toBe(1);
});
