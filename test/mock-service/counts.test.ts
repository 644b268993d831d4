import { ada, call, candidatesPath, invite, retrieve, start } from './support';
import type { PartnerService } from '../../mock-service/service.mts';
import type { Counts } from '../../mock-service/types.mts';

const countsOf = async (service: PartnerService): Promise<Counts> =>
	(await call(service, 'GET', '/counts', undefined, {})).body;

describe('the counts', () => {
	it('tell requests by endpoint, whatever became of them, and start over on request', async () => {
		const service = await start();
		await invite(service);
		await call(service, 'POST', candidatesPath, '{');
		service.faults.inject({ route: 'getCandidate', reset: 'before' });
		await expect(retrieve(service, 'abc')).rejects.toThrow('fetch failed');
		await call(service, 'GET', '/partner/nothing');
		const none = {
			createInvitation: 0,
			getCandidate: 0,
			updateWebhook: 0,
			setWebhookStatus: 0,
			deleteWebhook: 0,
			downloadReport: 0,
		};
		const counts = await countsOf(service);
		expect(counts.requests).toEqual({ ...none, createInvitation: 2, getCandidate: 1 });
		expect((await call(service, 'DELETE', '/counts', undefined, {})).status).toBe(204);
		expect(await countsOf(service)).toEqual({ requests: none, applications: [] });
	});

	it('tell applications apart by job, reference, and email, and who was invited twice', async () => {
		const service = await start();
		service.faults.inject({ route: 'createInvitation', status: 429 });
		await call(service, 'POST', candidatesPath, ada);
		service.faults.inject({ route: 'createInvitation', reset: 'after' });
		await expect(call(service, 'POST', candidatesPath, ada)).rejects.toThrow('fetch failed');
		await invite(service, { job_id: ada.job_id.toUpperCase(), email: 'ADA@example.com' });
		await invite(service, { job_id: '00000000-0000-4000-8000-000000000000' });
		await invite(service, { ext_reference_id: 'APP-2' });
		await invite(service, { email: 'other@example.com' });
		await invite(service, { email: undefined, is_anonymous_candidate: true });
		const { applications } = await countsOf(service);
		expect(applications.map(({ created }) => created)).toEqual([2, 1, 1, 1, 1]);
		const { job_id, ext_reference_id, email } = ada;
		expect(applications[0]).toEqual({ job_id, ext_reference_id, email, requests: 3, created: 2 });
		expect(applications.at(-1)?.email).toBeNull();
	});
});
