import type { Fault, PartnerService } from '../../mock-service/service.mts';
import { ada, call, candidatesPath, invite, retrieve, start } from './support';

async function startWith(...faults: Fault[]): Promise<PartnerService> {
	const service = await start();
	for (const fault of faults) service.faults.inject(fault);
	return service;
}

it.each<[Omit<Fault, 'route'>, number | null, boolean]>([
	[{ status: 502 }, 502, false],
	[{ status: 503, processFirst: true }, 503, true],
	[{ reset: 'before' }, null, false],
	[{ reset: 'after' }, null, true],
])(
	'with the fault %j a request ends with status %p, and was carried out: %p',
	async (fault, status, processed) => {
		const service = await startWith({ route: 'createInvitation', ...fault });
		const response = await call(service, 'POST', candidatesPath, ada).catch(() => undefined);
		expect(response?.status ?? null).toBe(status);
		expect(response?.body ?? {}).not.toHaveProperty('data');
		expect(service.invitations).toHaveLength(processed ? 1 : 0);
		expect(service.requests).toMatchObject([{ status, processed, body: ada }]);
		await retrieve(service, 'abc');
		expect(service.requests[1].inFlight).toBe(1);
	},
);

it('a fault applies to its own endpoint, as often as it says or to every nth request', async () => {
	const service = await startWith(
		{ route: 'updateWebhook', status: 500 },
		{ route: 'getCandidate', status: 503, times: 2 },
		{ route: '*', status: 429, every: 3 },
	);
	for (const status of [503, 503, 404, 404, 429, 404, 404, 429]) {
		expect((await retrieve(service, 'abc')).status).toBe(status);
	}
});

it('a fault of any endpoint leaves alone the download of a report, which has faults of its own', async () => {
	const service = await start();
	await service.finish(await invite(service));
	service.faults.inject({ route: '*', status: 500 });
	service.faults.inject({ route: 'downloadReport', status: 503 });
	const link = service.invitations[0].report_pdf_link ?? '';
	expect((await fetch(link)).status).toBe(503);
	expect((await fetch(link)).status).toBe(200);
});

it('clearing the faults ends a delay', async () => {
	const service = await startWith({ route: '*', delayMs: 60_000 });
	const slow = retrieve(service, 'abc');
	while (service.requests.length === 0) await call(service, 'GET', '/', undefined, {});
	service.faults.clear();
	expect((await slow).status).toBe(404);
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
