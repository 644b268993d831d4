import type { Fault, PartnerService } from '../../mock-service/service.mts';
import { ada, call, candidatesPath, invite, required, retrieve, start } from './support';

/** Starts a service with these faults. */
async function startWith(...faults: Fault[]): Promise<PartnerService> {
	const service = await start();
	for (const fault of faults) service.faults.inject(fault);
	return service;
}

/** Creates an invitation and returns the response once its headers are there. */
const post = async (service: PartnerService) =>
	await fetch(service.baseUrl + candidatesPath, {
		method: 'POST',
		headers: required(service),
		body: JSON.stringify(ada),
	});

/** The statuses of so many requests, one after another. */
async function statuses(service: PartnerService, count: number): Promise<number[]> {
	const all: number[] = [];
	while (all.length < count) all.push((await retrieve(service, 'abc')).status);
	return all;
}

describe('an injected fault', () => {
	const date = 'Fri, 20 Nov 2026 12:00:00 GMT';
	const location = 'http://127.0.0.1:9/elsewhere';

	it.each<[Omit<Fault, 'route'>, number, Record<string, string>]>([
		[{ status: 503 }, 503, {}],
		[{ retryAfter: 2 }, 429, { 'retry-after': '2' }],
		[{ status: 503, retryAfter: date }, 503, { 'retry-after': date }],
		[{ redirectTo: location }, 302, { location }],
		[{ status: 303, redirectTo: location }, 303, { location }],
		[{ status: 502, headers: { 'x-from': 'a proxy' } }, 502, { 'x-from': 'a proxy' }],
	])('responds as %j says, and the service does nothing', async (fault, status, headers) => {
		const service = await startWith({ route: 'createInvitation', ...fault });
		const response = await call(service, 'POST', candidatesPath, ada);
		expect(response.status).toBe(status);
		expect(Object.fromEntries(response.headers)).toMatchObject(headers);
		expect(service.invitations).toHaveLength(0);
		expect(service.requests).toMatchObject([{ status, body: ada, processed: false }]);
	});

	it('sends an object as JSON, a string verbatim, and an error body of its own if none is given', async () => {
		const html = { body: '<h1>Bad gateway</h1>', contentType: 'text/html' };
		const service = await startWith(
			{ route: '*', body: { unexpected: true } },
			{ route: '*', status: 502, ...html },
			{ route: '*', status: 500 },
		);
		const json = await retrieve(service, 'abc');
		const text = await retrieve(service, 'abc');
		expect(json).toMatchObject({ status: 200, body: { unexpected: true } });
		expect(text).toMatchObject({ status: 502, body: html.body });
		expect(text.headers.get('content-type')).toContain('text/html');
		expect((await retrieve(service, 'abc')).body.error.code).toBe('injected');
	});

	it.each([
		['before', false],
		['after', true],
	] as const)(
		'resets the connection %s the request is processed, and leaves none in flight',
		async (reset, processed) => {
			const service = await startWith({ route: 'createInvitation', reset });
			await expect(post(service)).rejects.toThrow('fetch failed');
			expect(service.invitations).toHaveLength(processed ? 1 : 0);
			expect(service.requests).toMatchObject([{ status: null, processed, body: ada }]);
			await retrieve(service, 'abc');
			expect(service.requests[1].inFlight).toBe(1);
		},
	);

	it.each<[Omit<Fault, 'route'>, number]>([
		[{ status: 503 }, 503],
		[{ status: 303, redirectTo: '/elsewhere' }, 303],
		[{ body: '<html></html>', contentType: 'text/html' }, 200],
	])('can respond with %j after the request is processed', async (fault, status) => {
		const service = await startWith({ route: 'createInvitation', processFirst: true, ...fault });
		const response = await call(service, 'POST', candidatesPath, ada);
		expect(response.status).toBe(status);
		expect(response.body).not.toHaveProperty('data');
		expect(service.invitations).toHaveLength(1);
		expect(service.requests).toMatchObject([{ status, processed: true }]);
	});

	it('delays a request, or the response to one that is already processed', async () => {
		const service = await startWith({ route: 'createInvitation', delayMs: 150 });
		const started = performance.now();
		await invite(service);
		expect(performance.now() - started).toBeGreaterThanOrEqual(140);
		service.clearRequests();
		service.faults.inject({ route: 'createInvitation', responseDelayMs: 60_000 });
		const response = call(service, 'POST', candidatesPath, ada);
		while (service.invitations.length === 1) await retrieve(service, 'other');
		const [created] = service.requests.filter(({ route }) => route === 'createInvitation');
		expect(created).toMatchObject({ status: null, processed: true });
		service.faults.clear();
		expect((await response).status).toBe(200);
	});

	it.each([
		['stalls after the headers and half of the body', { stall: true }, /^\{"data":.*[^}]$/],
		['trickles spaces after the headers', { trickleMs: 5 }, /^ +$/],
	])('%s, until the faults are cleared', async (_what, fault, part) => {
		const service = await startWith({ route: 'createInvitation', ...fault });
		const response = await post(service);
		expect([response.status, service.invitations.length]).toEqual([200, 1]);
		const body = response.body!.pipeThrough(new TextDecoderStream()).getReader();
		let text = (await body.read()).value ?? '';
		expect(text).toMatch(part);
		const rest = body.read();
		await retrieve(service, 'other');
		expect(service.requests[1].inFlight).toBe(2);
		service.faults.clear();
		for (let next = await rest; !next.done; next = await body.read()) text += next.value;
		expect(JSON.parse(text)).toMatchObject({ data: { ext_reference_id: 'APP-1001' }, meta: null });
	});

	it('applies to its own endpoint only, or to all endpoints', async () => {
		const service = await startWith({ route: 'updateWebhook', status: 500 });
		expect((await retrieve(service, 'abc')).status).toBe(404);
		const path = `/partner/v1.0/webhooks/${service.webhookId}`;
		expect((await call(service, 'PUT', path, {})).status).toBe(500);
		service.faults.inject({ route: '*', status: 500, times: 3 });
		expect((await call(service, 'PUT', `${path}/status`, { status: 'active' })).status).toBe(500);
		expect((await call(service, 'DELETE', path)).status).toBe(500);
		expect((await call(service, 'GET', '/partner/nothing')).status).toBe(500);
		expect(service.webhooks).toMatchObject([{ status: 'inactive', is_deleted: false }]);
	});

	it.each<[string, Fault[], number[]]>([
		[
			'once by default, or as often as specified',
			[
				{ route: 'getCandidate', status: 500 },
				{ route: 'getCandidate', status: 503, times: 2 },
			],
			[500, 503, 503, 404],
		],
		[
			'to every nth request, without limit',
			[{ route: '*', status: 429, every: 3 }],
			[404, 404, 429, 404, 404, 429, 404],
		],
		[
			'to the nth request only',
			[{ route: 'getCandidate', status: 503, nth: 3 }],
			[404, 404, 503, 404, 404],
		],
	])('applies %s', async (_what, faults, expected) => {
		expect(await statuses(await startWith(...faults), expected.length)).toEqual(expected);
	});

	it('applies to the requests that a function selects', async () => {
		const when: Fault['when'] = ({ path }) => path.endsWith('/two');
		const service = await startWith({ route: 'getCandidate', status: 500, when });
		const send = async (code: string) => (await retrieve(service, code)).status;
		expect([await send('one'), await send('two'), await send('two')]).toEqual([404, 500, 404]);
	});

	it.each(['clearing the faults', 'closing the service'])('is ended by %s', async (what) => {
		const service = await startWith({ route: '*', delayMs: 60_000 });
		const slow = retrieve(service, 'abc').catch(() => ({ status: 'reset' }));
		while (service.requests.length < 1) await call(service, 'GET', '/', undefined, {});
		if (what === 'clearing the faults') service.faults.clear();
		else await service.close();
		const { status } = await slow;
		expect(what === 'clearing the faults' ? [404] : [404, 'reset']).toContain(status);
	});
});

describe('a fault of the report download', () => {
	it('is separate from the faults and requests of the API', async () => {
		const service = await start();
		await service.finish(await invite(service));
		const link = service.invitations[0].report_pdf_link ?? '';
		service.clearRequests();
		service.faults.inject({ route: '*', status: 500 });
		service.faults.inject({ route: 'downloadReport', redirectTo: link });
		const redirected = await fetch(link);
		expect([redirected.status, redirected.redirected]).toEqual([200, true]);
		expect((await retrieve(service, 'abc')).status).toBe(500);
		service.faults.inject({ route: 'downloadReport', status: 503, body: 'away' });
		expect((await retrieve(service, 'abc')).status).toBe(404);
		expect(await (await fetch(link)).text()).toBe('away');
		expect(service.requests).toHaveLength(2);
		expect(service.downloads).toMatchObject([
			{ route: 'downloadReport', status: 302, processed: false },
			{ route: 'downloadReport', status: 200, processed: true },
			{ route: 'downloadReport', status: 503, processed: false },
		]);
	});
});

describe('faults over HTTP', () => {
	const json = { 'content-type': 'application/json' };

	it('are injected, listed, and cleared', async () => {
		const service = await start();
		const fault = { route: 'getCandidate', status: 503, retryAfter: 5, times: 2 };
		const injected = await call(service, 'POST', '/faults', fault, json);
		expect(injected).toMatchObject({ status: 200, body: { ...fault, timesLeft: 2 } });
		expect((await retrieve(service, 'abc')).headers.get('retry-after')).toBe('5');
		expect((await call(service, 'GET', '/faults', undefined, {})).body).toMatchObject([
			{ ...fault, timesLeft: 1, applied: 1 },
		]);
		expect((await call(service, 'DELETE', '/faults', undefined, {})).status).toBe(204);
		expect((await call(service, 'GET', '/faults', undefined, {})).body).toEqual([]);
	});

	it.each([
		{ route: 'nowhere', status: 500 },
		{ status: 500 },
		{ route: '*' },
		{ route: '*', status: '500' },
		{ route: '*', reset: 'during' },
		{ route: '*', status: 500, unknown: 1 },
		{ route: '*', status: 500, every: 2, nth: 2 },
		{ route: '*', stall: true, trickleMs: 1 },
	])('are rejected if they make no sense: %j', async (fault) => {
		const service = await start();
		expect((await call(service, 'POST', '/faults', fault, json)).status).toBe(400);
		expect(service.faults.list()).toEqual([]);
	});
});
