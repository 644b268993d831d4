import { ada, call, candidatesPath, invite, retrieve, start } from './support';

const application = {
	job_id: ada.job_id,
	ext_reference_id: ada.ext_reference_id,
	email: ada.email,
};

describe('the counts', () => {
	it('tell requests by endpoint, whatever became of them', async () => {
		const service = await start();
		await invite(service);
		await call(service, 'POST', candidatesPath, '{');
		service.faults.inject({ route: 'getCandidate', reset: 'before' });
		await expect(retrieve(service, 'abc')).rejects.toThrow('fetch failed');
		await call(service, 'GET', '/partner/nothing');
		expect(service.counts().requests).toEqual({
			createInvitation: 2,
			getCandidate: 1,
			updateWebhook: 0,
			setWebhookStatus: 0,
			deleteWebhook: 0,
			downloadReport: 0,
		});
	});

	it('show a candidate who was invited twice', async () => {
		const service = await start();
		service.faults.inject({ route: 'createInvitation', reset: 'after' });
		await expect(call(service, 'POST', candidatesPath, ada)).rejects.toThrow('fetch failed');
		await invite(service, { job_id: ada.job_id.toUpperCase() });
		expect(service.counts().applications).toEqual([{ ...application, requests: 2, created: 2 }]);
	});

	it('do not count a request that created nothing as an invitation', async () => {
		const service = await start();
		service.faults.inject({ route: 'createInvitation', status: 429 });
		await call(service, 'POST', candidatesPath, ada);
		await call(service, 'POST', candidatesPath, { ...ada, first_name: 1 });
		await invite(service);
		expect(service.counts().applications).toEqual([{ ...application, requests: 3, created: 1 }]);
	});

	it('tell applications apart by job, reference, and email', async () => {
		const service = await start();
		const other = '00000000-0000-4000-8000-000000000000';
		await invite(service);
		await invite(service, { job_id: other });
		await invite(service, { ext_reference_id: 'APP-2' });
		await invite(service, { email: 'other@example.com' });
		await invite(service, { email: undefined, is_anonymous_candidate: true });
		expect(service.counts().applications.map(({ created }) => created)).toEqual([1, 1, 1, 1, 1]);
		expect(service.counts().applications.at(-1)?.email).toBeNull();
	});

	it('take an email in upper and in lower case for the same', async () => {
		const service = await start();
		await invite(service, { email: 'One@Example.com' });
		await invite(service, { email: 'one@example.com' });
		expect(service.counts().applications).toMatchObject([{ email: 'one@example.com', created: 2 }]);
	});

	it('include requests that are no longer recorded', async () => {
		const service = await start({ maxRecordedRequests: 1 });
		for (const code of ['a', 'b', 'c']) await retrieve(service, code);
		expect(service.counts().requests.getCandidate).toBe(3);
	});

	it('are available over HTTP, and start over on request', async () => {
		const service = await start();
		await invite(service);
		const counts = await call(service, 'GET', '/counts', undefined, {});
		expect(counts.body).toEqual(service.counts());
		expect((await call(service, 'DELETE', '/counts', undefined, {})).status).toBe(204);
		expect(service.counts().requests.createInvitation).toBe(0);
		expect(service.counts().applications).toEqual([]);
		expect(service.requests).toEqual([]);
	});
});
