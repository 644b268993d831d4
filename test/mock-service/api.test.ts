import {
	ada,
	call,
	candidatesPath,
	required,
	resultReady,
	retrieve,
	start,
	today,
} from './support/service';

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
])('every endpoint responds %s', async (_what, change, expected) => {
	const service = await start({ accessToken: 'the-token' });
	for (const [method, path, body] of endpoints(service.webhookId)) {
		const headers = { ...required(service), ...change };
		const response = await call(service, method, path, body, headers);
		expect([method, path, response.status]).toEqual([method, path, expected]);
		expect(JSON.stringify(response.body)).not.toContain('the-token');
	}
	expect(service.invitations).toHaveLength(0);
	expect(service.webhooks).toMatchObject([{ status: 'inactive', is_deleted: false }]);
});

it('a request that breaks rules is refused, and told each field and its rule', async () => {
	const service = await start();
	const rulesBrokenBy = async (method: string, path: string, sent: object) => {
		const { status, body } = await call(service, method, path, sent);
		expect(status).toBe(400);
		return Object.fromEntries(
			body.error.details.map(({ field, rule }: Record<string, string>) => [field, rule]),
		);
	};
	const post = async (change: object) =>
		await rulesBrokenBy('POST', candidatesPath, { ...ada, ...change });
	const invitation = {
		job_id: 'job-1',
		ext_reference_id: 'x'.repeat(51),
		email: '',
		first_name: 1,
		last_name: undefined,
		deadline: '2026-12-01T12:00:00+01:00',
		skills: [{ level: 1 }],
		work_experiences: [{ is_current: 'yes', end_date: '2023-02-29' }],
	};
	expect(await post(invitation)).toEqual({
		job_id: 'must be a UUID',
		ext_reference_id: 'must have at most 50 characters',
		email: 'must not be empty',
		first_name: 'must be string',
		last_name: 'is required',
		deadline: 'must be a UTC date-time (ISO 8601)',
		'skills.0.level': 'is not a field of this request',
		'work_experiences.0.is_current': 'must be boolean',
		'work_experiences.0.end_date': 'must match format "date"',
	});
	expect(await post({ deadline: today })).toEqual({ deadline: 'must be in the future' });
	expect(await post({ deadline: '2027-03-02T12:00:00Z' })).toEqual({
		deadline: 'must be within 3 months of the current date',
	});
	const webhook = { name: 'X', url: 'http://a:99999/', events: ['*'], secret: 'two\nlines' };
	expect(
		await rulesBrokenBy('PUT', `/partner/v1.0/webhooks/${service.webhookId}`, webhook),
	).toEqual({
		url: 'must be an http or https URL',
		'events.0': `must be one of: ${resultReady}`,
		secret: 'must be a valid header value',
	});
	const statusPath = `/partner/v1.0/webhooks/${service.webhookId}/status`;
	expect(await rulesBrokenBy('PUT', statusPath, { status: 'paused' })).toEqual({
		status: 'must be one of: active, inactive',
	});
	expect(service.invitations).toHaveLength(0);
	expect(service.webhooks[0].name).not.toBe('X');
});

it.each([
	['ext_reference_id', (length: number) => 'x'.repeat(length), 50],
	...['email', 'first_name', 'last_name'].map(
		(name) => [name, (length: number) => '😀'.repeat(length), 255] as const,
	),
	['skills', (length: number) => Array(length).fill({ name: 'Chess' }), 15],
	['work_experiences', (length: number) => Array(length).fill({ role: 'Clerk' }), 10],
] as const)(
	'an invitation has limits, and takes what is at them: %s',
	async (name, valueOf, max) => {
		const service = await start();
		const statusOf = async (length: number) =>
			(await call(service, 'POST', candidatesPath, { ...ada, [name]: valueOf(length) })).status;
		expect([await statusOf(max), await statusOf(max + 1)]).toEqual([200, 400]);
	},
);

it('an invitation without a deadline expires after three months', async () => {
	const { body } = await call(await start(), 'POST', candidatesPath, ada);
	expect(body.data.invitation_expired_at).toBe('2027-02-28T12:00:00.000Z');
});

it('requests in flight are counted', async () => {
	const service = await start();
	service.faults.inject({ route: '*', times: 4, delayMs: 100 });
	await Promise.all(['a', 'b', 'c', 'd'].map(async (code) => await retrieve(service, code)));
	await retrieve(service, 'e');
	expect(service.requests.map(({ inFlight }) => inFlight)).toEqual([1, 2, 3, 4, 1]);
});
