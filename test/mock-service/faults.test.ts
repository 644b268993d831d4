import type { Fault, PartnerService } from '../../mock-service/service.mts';
import { ada, call, candidatesPath, invite, retrieve, start } from './support';

/** Starts a service with these faults. */
async function startWith(...faults: Fault[]): Promise<PartnerService> {
	const service = await start();
	for (const fault of faults) service.faults.inject(fault);
	return service;
}

/** The statuses of a number of requests, sent one after another. */
async function statuses(service: PartnerService, count: number): Promise<number[]> {
	const all: number[] = [];
	while (all.length < count) all.push((await retrieve(service, 'abc')).status);
	return all;
}

describe('faults', () => {
	const location = 'http://127.0.0.1:9/elsewhere';

	it.each<[Omit<Fault, 'route'>, number, Record<string, string>]>([
		[{ status: 502, headers: { 'x-from': 'a proxy' } }, 502, { 'x-from': 'a proxy' }],
		[{ retryAfter: 2 }, 429, { 'retry-after': '2' }],
		[{ redirectTo: location }, 302, { location }],
	])('a fault %j takes the place of the service', async (fault, status, headers) => {
		const service = await startWith({ route: 'createInvitation', ...fault });
		const response = await call(service, 'POST', candidatesPath, ada);
		expect(response.status).toBe(status);
		expect(Object.fromEntries(response.headers)).toMatchObject(headers);
		expect(service.invitations).toHaveLength(0);
		expect(service.requests).toMatchObject([{ status, body: ada, processed: false }]);
	});

	it.each([
		['before', false],
		['after', true],
	] as const)(
		'a connection is reset %s the request is processed, which leaves none in flight',
		async (reset, processed) => {
			const service = await startWith({ route: 'createInvitation', reset });
			await expect(call(service, 'POST', candidatesPath, ada)).rejects.toThrow('fetch failed');
			expect(service.invitations).toHaveLength(processed ? 1 : 0);
			expect(service.requests).toMatchObject([{ status: null, processed, body: ada }]);
			await retrieve(service, 'abc');
			expect(service.requests[1].inFlight).toBe(1);
		},
	);

	it('a fault can replace the response to a request that is processed', async () => {
		const processFirst = { route: 'createInvitation', processFirst: true } as const;
		const service = await startWith({ ...processFirst, status: 503 });
		const response = await call(service, 'POST', candidatesPath, ada);
		expect(response.body).not.toHaveProperty('data');
		expect(service.invitations).toHaveLength(1);
		expect(service.requests).toMatchObject([{ status: 503, processed: true }]);
	});

	it.each<[string, Fault[], number[]]>([
		[
			'once by default, or as often as it says',
			[
				{ route: 'getCandidate', status: 500 },
				{ route: 'getCandidate', status: 503, times: 2 },
			],
			[500, 503, 503, 404],
		],
		[
			'to every nth request, without a limit',
			[{ route: '*', status: 429, every: 3 }],
			[404, 404, 429, 404, 404, 429, 404],
		],
		['to its own endpoint only', [{ route: 'updateWebhook', status: 500 }], [404]],
	])('a fault applies %s', async (_what, faults, expected) => {
		expect(await statuses(await startWith(...faults), expected.length)).toEqual(expected);
	});

	it('clearing the faults ends a delay', async () => {
		const service = await startWith({ route: '*', delayMs: 60_000 });
		const slow = retrieve(service, 'abc');
		while (service.requests.length === 0) await call(service, 'GET', '/', undefined, {});
		service.faults.clear();
		expect((await slow).status).toBe(404);
	});

	it('the download of a report has faults and records of its own', async () => {
		const service = await start();
		await service.finish(await invite(service));
		const link = service.invitations[0].report_pdf_link ?? '';
		service.clearRequests();
		service.faults.inject({ route: '*', status: 500 });
		service.faults.inject({ route: 'downloadReport', status: 503, body: 'down' });
		expect(await (await fetch(link)).text()).toBe('down');
		expect((await fetch(link)).status).toBe(200);
		expect((await retrieve(service, 'abc')).status).toBe(500);
		expect(service.requests).toHaveLength(1);
		expect(service.downloads).toMatchObject([
			{ route: 'downloadReport', status: 503, processed: false },
			{ route: 'downloadReport', status: 200, processed: true },
		]);
	});

	const json = { 'content-type': 'application/json' };

	it('faults can be injected, listed and cleared over HTTP', async () => {
		const service = await start();
		const fault = { route: 'getCandidate', status: 503, retryAfter: 5, times: 2 };
		const injected = await call(service, 'POST', '/faults', fault, json);
		expect(injected).toMatchObject({ status: 200, body: { ...fault, timesLeft: 2 } });
		expect((await retrieve(service, 'abc')).headers.get('retry-after')).toBe('5');
		const list = async () => (await call(service, 'GET', '/faults', undefined, {})).body;
		expect(await list()).toMatchObject([{ ...fault, timesLeft: 1 }]);
		expect((await call(service, 'DELETE', '/faults', undefined, {})).status).toBe(204);
		expect(await list()).toEqual([]);
	});

	it.each([
		{ route: 'nowhere', status: 500 },
		{ route: '*' },
		{ route: '*', status: 500, unknown: 1 },
	])('a fault that makes no sense is rejected: %j', async (fault) => {
		const service = await start();
		expect((await call(service, 'POST', '/faults', fault, json)).status).toBe(400);
		expect(service.faults.list()).toEqual([]);
	});
});
