import { call } from '../support/invite.mts';
import { ada, candidatesPath, post, resultReady, retrieve, start, today } from './support/service';

it.each([
	['401 without a token', { authorization: '' }, 401],
	['401 with another token', { authorization: 'Bearer other' }, 401],
	['401 with the token but no scheme', { authorization: 'the-token' }, 401],
	['406 without Accept: application/json', { accept: 'text/html' }, 406],
	['415 with another Content-Type', { 'content-type': 'text/plain' }, 415],
])('every endpoint responds %s', async (_what, change, expected) => {
	const service = await start({ accessToken: 'the-token' });
	const webhook = `/partner/v1.0/webhooks/${service.webhookId}`;
	const endpoints: Array<[string, string, object?]> = [
		['POST', candidatesPath, ada],
		['GET', `${candidatesPath}/invitation/abc`],
		['PUT', webhook, {}],
		['PUT', `${webhook}/status`, { status: 'active' }],
		['DELETE', webhook],
	];
	for (const [method, path, body] of endpoints) {
		const response = await call(service, method, path, body, change);
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
		const details: Array<Record<string, string>> = body.error.details;
		return Object.fromEntries(details.map(({ field, rule }) => [field, rule]));
	};
	const brokenBy = async (change: object) =>
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
	expect(await brokenBy(invitation)).toEqual({
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
	expect(await brokenBy({ deadline: today })).toEqual({ deadline: 'must be in the future' });
	expect(await brokenBy({ deadline: '2027-03-02T12:00:00Z' })).toEqual({
		deadline: 'must be within 3 months of the current date',
	});
	const path = `/partner/v1.0/webhooks/${service.webhookId}`;
	const webhook = { name: 'X', url: 'http://a:99999/', events: ['*'], secret: 'two\nlines' };
	expect(await rulesBrokenBy('PUT', path, webhook)).toEqual({
		url: 'must be an http or https URL',
		'events.0': `must be one of: ${resultReady}`,
		secret: 'must be a valid header value',
	});
	expect(await rulesBrokenBy('PUT', `${path}/status`, { status: 'paused' })).toEqual({
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
			(await post(service, { [name]: valueOf(length) })).status;
		expect([await statusOf(max), await statusOf(max + 1)]).toEqual([200, 400]);
	},
);

it('an invitation without a deadline expires after three months', async () => {
	const { body } = await post(await start());
	expect(body.data.invitation_expired_at).toBe('2027-02-28T12:00:00.000Z');
});

it('requests in flight are counted', async () => {
	const service = await start();
	service.faults.inject({ route: '*', times: 4, delayMs: 100 });
	await Promise.all(['a', 'b', 'c', 'd'].map(async (code) => await retrieve(service, code)));
	await retrieve(service, 'e');
	expect(service.requests.map(({ inFlight }) => inFlight)).toEqual([1, 2, 3, 4, 1]);
});
