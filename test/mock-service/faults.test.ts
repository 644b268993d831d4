import type { Fault, PartnerService } from '../../mock-service/service.mts';
import { ada, call, candidatesPath, retrieve, start } from './support/service';

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

it('answers that come late go to the request after theirs, and the first request gets none', async () => {
	const service = await startWith({ route: 'createInvitation', answersLate: true });
	const invite = async (reference: string) =>
		await call(service, 'POST', candidatesPath, { ...ada, ext_reference_id: reference });
	await expect(invite('A')).rejects.toThrow();
	for (const [reference, answered] of ['BA', 'CB', 'DC']) {
		const { status, body } = await invite(reference);
		expect([status, body.data.ext_reference_id]).toEqual([200, answered]);
	}
	expect(service.requests.map(({ processed }) => processed)).toEqual(Array(4).fill(true));
	service.faults.clear();
	expect((await invite('E')).body.data.ext_reference_id).toBe('E');
});

it('a late answer keeps its status', async () => {
	const service = await startWith({ route: 'createInvitation', answersLate: true });
	await call(service, 'POST', candidatesPath, { ...ada, email: 7 }).catch(() => undefined);
	const { status, body } = await call(service, 'POST', candidatesPath, ada);
	expect([status, body.data]).toEqual([400, undefined]);
	expect((await call(service, 'POST', candidatesPath, ada)).status).toBe(200);
});
