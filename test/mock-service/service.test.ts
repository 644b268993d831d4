import { ada, call, candidatesPath, required, retrieve, start, today } from './support';

describe('every endpoint', () => {
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
	])('responds %s', async (_what, change, expected) => {
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

	it.each([
		['GET', candidatesPath],
		['POST', '/partner/v1.0/webhooks'],
		['GET', '/partner/v2.0/standard/candidates'],
		['GET', '/partner'],
	])('is one of five: %s %s is 404 in JSON', async (method, path) => {
		const service = await start();
		const { status, body } = await call(service, method, path, method === 'POST' ? {} : undefined);
		expect(status).toBe(404);
		expect(body.error.code).toBe('not_found');
	});
});

describe('the service', () => {
	it('creates a new token at each start and listens on the loopback interface', async () => {
		const [one, other] = [await start(), await start()];
		expect(one.accessToken).not.toBe(other.accessToken);
		expect(one.accessToken.length).toBeGreaterThanOrEqual(32);
		expect(one.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	});

	it('records each API request, its status, and whether it was processed', async () => {
		const service = await start();
		await call(service, 'POST', `${candidatesPath}?x=1`, ada);
		await call(service, 'POST', candidatesPath, { ...ada, job_id: 1 });
		await call(service, 'GET', '/', undefined, {});
		expect(service.requests).toMatchObject([
			{
				route: 'createInvitation',
				method: 'POST',
				path: `${candidatesPath}?x=1`,
				headers: { authorization: `Bearer ${service.accessToken}` },
				body: ada,
				at: today,
				status: 200,
				inFlight: 1,
				processed: true,
			},
			{ status: 400, body: { job_id: 1 }, processed: false },
		]);
		service.clearRequests();
		expect(service.requests).toHaveLength(0);
	});

	it('counts the requests in flight', async () => {
		const service = await start();
		service.faults.inject({ route: '*', times: 4, delayMs: 100 });
		await Promise.all(['a', 'b', 'c', 'd'].map(async (code) => await retrieve(service, code)));
		expect(service.requests.map(({ inFlight }) => inFlight)).toEqual([1, 2, 3, 4]);
		await retrieve(service, 'e');
		expect(service.requests[4].inFlight).toBe(1);
	});
});
