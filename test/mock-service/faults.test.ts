import type { Fault, PartnerService } from '../../mock-service/service.mts';
import { ada, post, retrieve, start } from './support/service';

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
		const response = await post(service).catch(() => undefined);
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

it('answers that come late go to the request after theirs with their status, and the first request gets none', async () => {
	const service = await startWith({ route: 'createInvitation', answersLate: true });
	const invite = async (reference: string, more = {}) =>
		await post(service, { ext_reference_id: reference, ...more });
	await expect(invite('A')).rejects.toThrow();
	const answers = [await invite('B'), await invite('C', { email: 7 })];
	answers.push(await invite('D'), await invite('E'));
	expect(answers.map(({ status, body }) => [status, body.data?.ext_reference_id])).toEqual([
		[200, 'A'],
		[200, 'B'],
		[400, undefined],
		[200, 'D'],
	]);
	const processed = service.requests.map((request) => request.processed);
	expect(processed).toEqual([true, true, false, true, true]);
	service.faults.clear();
	expect((await invite('F')).body.data.ext_reference_id).toBe('F');
});
