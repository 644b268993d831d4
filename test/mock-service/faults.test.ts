import type { Fault, PartnerService } from '../../mock-service/service.mts';
import { post, retrieve, start } from './support/service';

async function startWith(...faults: Fault[]): Promise<PartnerService> {
	const service = await start();
	for (const fault of faults) service.faults.inject(fault);
	return service;
}

it.each([
	[{ status: 502 }, 0],
	[{ status: 503, processFirst: true }, 1],
])('a request with the fault %j ends with its status, and %p invitations', async (fault, count) => {
	const service = await startWith({ route: 'createInvitation', ...fault });
	expect((await post(service)).status).toBe(fault.status);
	expect(service.invitations).toHaveLength(count);
});

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
