import { ada, call, candidatesPath, invite, required, retrieve, start, today } from './support';

const unknownId = '00000000-0000-4000-8000-000000000000';
const long = (length: number) => 'x'.repeat(length);
const many = <T>(count: number, one: T) => Array.from({ length: count }, () => one);
const without = (field: keyof typeof ada) => ({ ...ada, [field]: undefined });

describe('creating an invitation', () => {
	it('responds 200 with the fields of the specification in the envelope', async () => {
		const service = await start();
		const { status, body } = await call(service, 'POST', candidatesPath, ada);
		expect(status).toBe(200);
		expect(body).toEqual({
			data: {
				candidate_id: expect.any(String),
				ext_reference_id: 'APP-1001',
				job_id: ada.job_id,
				is_anonymous_candidate: false,
				email: 'ada@example.com',
				first_name: 'Ada',
				last_name: 'Lovelace',
				status: 'invited',
				invitation_link: expect.stringMatching(
					new RegExp(`^${service.baseUrl}/invitations/[0-9a-f]+$`),
				),
				invitation_expired_at: '2027-02-28T12:00:00.000Z',
				created_at: today,
			},
			meta: null,
		});
	});

	it('returns null for details omitted for an anonymous candidate', async () => {
		const service = await start();
		const { status, body } = await call(service, 'POST', candidatesPath, {
			job_id: ada.job_id,
			ext_reference_id: 'ANON-1',
			is_anonymous_candidate: true,
		});
		expect(status).toBe(200);
		expect(body.data).toMatchObject({ email: null, first_name: null, last_name: null });
	});

	it('creates a new invitation every time, even for the same reference', async () => {
		const service = await start();
		expect(await invite(service)).not.toBe(await invite(service));
		expect(service.invitations).toHaveLength(2);
	});

	it('keeps the requested deadline', async () => {
		const service = await start();
		const deadline = '2026-12-24T18:00:00Z';
		const { body } = await call(service, 'POST', candidatesPath, { ...ada, deadline });
		expect(body.data.invitation_expired_at).toBe('2026-12-24T18:00:00.000Z');
	});

	it('uses the public URL as the base of links if one is given', async () => {
		const service = await start({ publicUrl: 'https://assess.example.com/' });
		const code = await invite(service);
		expect(service.invitations[0].invitation_link).toBe(
			`https://assess.example.com/invitations/${code}`,
		);
	});

	const skill = { name: 'Chess', proficiency: 'novice' };
	const work = {
		organization: 'Example Ltd',
		role: 'Clerk',
		is_current: false,
		responsibilities_achievements: 'Kept the books',
		start_date: '2020-02-29',
		end_date: '2021-01-31',
	};

	it.each([
		['a reference of 50 characters', { ext_reference_id: long(50) }],
		[
			'a reference of 50 characters that take two code units each',
			{ ext_reference_id: '😀'.repeat(50) },
		],
		['an email of 255 characters', { email: long(255) }],
		['a first name of 255 characters', { first_name: long(255) }],
		['a last name of 255 characters', { last_name: long(255) }],
		['a job ID in upper case', { job_id: ada.job_id.toUpperCase() }],
		['a deadline a second from now', { deadline: '2026-11-30T12:00:01Z' }],
		['a deadline in exactly three months', { deadline: '2027-02-28T12:00:00Z' }],
		['a deadline at the end of the last day', { deadline: '2027-02-28T23:59:59.999Z' }],
		[
			'a deadline at the end of the last day where that is latest',
			{ deadline: '2027-03-02T11:59:59.999Z' },
		],
		['a deadline with milliseconds', { deadline: '2026-12-01T12:00:00.123Z' }],
		['a deadline with the offset +00:00', { deadline: '2026-12-01T12:00:00+00:00' }],
		['no skill', { skills: [] }],
		['15 skills', { skills: many(15, skill) }],
		['a skill without proficiency', { skills: [{ name: 'Chess' }] }],
		['10 work experiences', { work_experiences: many(10, work) }],
		['a work experience without an end', { work_experiences: [{ ...work, end_date: undefined }] }],
	])('accepts %s', async (_what, change) => {
		const service = await start();
		const { status } = await call(service, 'POST', candidatesPath, { ...ada, ...change });
		expect(status).toBe(200);
	});

	it.each([
		['no job ID', without('job_id'), 'job_id', 'is required'],
		['no reference', without('ext_reference_id'), 'ext_reference_id', 'is required'],
		[
			'no is_anonymous_candidate',
			without('is_anonymous_candidate'),
			'is_anonymous_candidate',
			'is required',
		],
		['no email', without('email'), 'email', 'is required'],
		['no first name', without('first_name'), 'first_name', 'is required'],
		['no last name', without('last_name'), 'last_name', 'is required'],
		['an empty email', { email: '' }, 'email', 'must not be empty'],
		['an empty reference', { ext_reference_id: '' }, 'ext_reference_id', 'must not be empty'],
		[
			'a reference of 51 characters',
			{ ext_reference_id: long(51) },
			'ext_reference_id',
			'must have at most 50 characters',
		],
		[
			'an email of 256 characters',
			{ email: long(256) },
			'email',
			'must have at most 255 characters',
		],
		[
			'a first name of 256 characters',
			{ first_name: long(256) },
			'first_name',
			'must have at most 255 characters',
		],
		[
			'a last name of 256 characters',
			{ last_name: long(256) },
			'last_name',
			'must have at most 255 characters',
		],
		['a blank last name', { last_name: ' \n' }, 'last_name', 'must not be empty'],
		['a job ID that is not a UUID', { job_id: 'job-1' }, 'job_id', 'must be a UUID'],
		['a job ID as a URN', { job_id: `urn:uuid:${ada.job_id}` }, 'job_id', 'must be a UUID'],
		[
			'a reference that is a number',
			{ ext_reference_id: 1001 },
			'ext_reference_id',
			'must be string',
		],
		[
			'is_anonymous_candidate as text',
			{ is_anonymous_candidate: 'true' },
			'is_anonymous_candidate',
			'must be boolean',
		],
		['a first name that is null', { first_name: null }, 'first_name', 'must be string'],
		['an unknown field', { phone: '555' }, 'phone', 'is not a field of this request'],
		['a deadline that is now', { deadline: today }, 'deadline', 'must be in the future'],
		[
			'a deadline in the past',
			{ deadline: '2026-11-30T11:59:59Z' },
			'deadline',
			'must be in the future',
		],
		[
			'a deadline after the last day, wherever on Earth',
			{ deadline: '2027-03-02T12:00:00Z' },
			'deadline',
			'must be within 3 months of the current date',
		],
		[
			'a deadline without a zone',
			{ deadline: '2026-12-01T12:00:00' },
			'deadline',
			'must be a UTC date-time (ISO 8601)',
		],
		[
			'a deadline in another zone',
			{ deadline: '2026-12-01T12:00:00+01:00' },
			'deadline',
			'must be a UTC date-time (ISO 8601)',
		],
		[
			'a deadline that is a date',
			{ deadline: '2026-12-01' },
			'deadline',
			'must be a UTC date-time (ISO 8601)',
		],
		[
			'a deadline on a day that does not exist',
			{ deadline: '2026-12-32T12:00:00Z' },
			'deadline',
			'must be a UTC date-time (ISO 8601)',
		],
		['16 skills', { skills: many(16, skill) }, 'skills', 'must have at most 15 items'],
		[
			'a skill with an unknown field',
			{ skills: [{ level: 1 }] },
			'skills.0.level',
			'is not a field of this request',
		],
		['a skill that is a text', { skills: ['Chess'] }, 'skills.0', 'must be object'],
		[
			'11 work experiences',
			{ work_experiences: many(11, work) },
			'work_experiences',
			'must have at most 10 items',
		],
		[
			'a start date in another format',
			{ work_experiences: [{ start_date: '29.02.2020' }] },
			'work_experiences.0.start_date',
			'must match format "date"',
		],
		[
			'an end date that does not exist',
			{ work_experiences: [{ end_date: '2021-02-29' }] },
			'work_experiences.0.end_date',
			'must match format "date"',
		],
		[
			'is_current as text',
			{ work_experiences: [{ is_current: 'yes' }] },
			'work_experiences.0.is_current',
			'must be boolean',
		],
	])('rejects %s, naming the field and the rule', async (_what, change, field, rule) => {
		const service = await start();
		const { status, body } = await call(service, 'POST', candidatesPath, { ...ada, ...change });
		expect(status).toBe(400);
		expect(body.error.details).toEqual([{ field, rule }]);
		expect(service.invitations).toHaveLength(0);
	});

	it('names every broken rule at once', async () => {
		const service = await start();
		const { body } = await call(service, 'POST', candidatesPath, {
			...without('email'),
			job_id: 'x',
		});
		expect(body.error.details.map((detail: { field: string }) => detail.field).sort()).toEqual([
			'email',
			'job_id',
		]);
	});

	it('does not repeat the request in an error', async () => {
		const service = await start();
		const { body } = await call(service, 'POST', candidatesPath, { ...ada, job_id: 'Lovelace' });
		expect(JSON.stringify(body)).not.toMatch(/Lovelace|ada@example/);
	});

	it.each([
		['not JSON', '{"job_id":'],
		['not an object', '[]'],
		['empty', undefined],
	])('rejects a body that is %s', async (_what, body) => {
		const service = await start();
		expect((await call(service, 'POST', candidatesPath, body)).status).toBe(400);
	});

	it('rejects a body larger than a megabyte', async () => {
		const service = await start();
		const { status } = await call(service, 'POST', candidatesPath, {
			...ada,
			email: long(1_100_000),
		});
		expect(status).toBe(413);
	});
});

describe('retrieving a candidate', () => {
	it('returns neither report links nor scores before the assessment is finished', async () => {
		const service = await start();
		const { status, body } = await retrieve(service, await invite(service));
		expect(status).toBe(200);
		expect(body.meta).toBeNull();
		expect(body.data).toMatchObject({
			status: 'invited',
			report_pdf_link: null,
			report_profile_link: null,
			scores: [],
			additional_scores: [],
		});
	});

	it('returns both report links and all five scores once it is finished', async () => {
		const service = await start();
		const code = await invite(service);
		await service.finish(code);
		const { data } = (await retrieve(service, code)).body;
		expect(Object.keys(data)).toEqual([
			'candidate_id',
			'ext_reference_id',
			'job_id',
			'is_anonymous_candidate',
			'email',
			'first_name',
			'last_name',
			'status',
			'invitation_link',
			'invitation_expired_at',
			'created_at',
			'report_pdf_link',
			'report_profile_link',
			'scores',
			'additional_scores',
		]);
		expect(data.status).toBe('completed');
		const types = (scores: Array<{ score_type: string }>) => scores.map((one) => one.score_type);
		expect(types(data.scores)).toEqual(['role_fit', 'organizational_fit']);
		expect(types(data.additional_scores)).toEqual([
			'reasoning_numeric',
			'reasoning_verbal',
			'reasoning_logical',
		]);
		for (const score of [...data.scores, ...data.additional_scores]) {
			expect(score.score_format).toBe(100);
			expect(score.score_value).toBeGreaterThanOrEqual(0);
			expect(score.score_value).toBeLessThanOrEqual(100);
		}
	});

	it.each(['unknown', '%2e%2e%2f', 'a%20b', long(400)])(
		'responds 404 for the code %s',
		async (code) => {
			const { status, body } = await retrieve(await start(), code);
			expect(status).toBe(404);
			expect(body.error.code).toBe('candidate_not_found');
		},
	);
});

describe('webhooks', () => {
	const update = {
		name: 'Results',
		url: 'http://127.0.0.1:5678/webhook/results',
		events: ['candidate_application_result_ready'],
		secret: 'a secret for the receiver',
	};

	it('include one from the start, inactive, with the requested ID', async () => {
		const service = await start({ webhookId: unknownId });
		expect(service.webhookId).toBe(unknownId);
		expect(service.webhooks).toMatchObject([{ id: unknownId, status: 'inactive', secret: null }]);
	});

	it('have their name, URL, events, and secret replaced by an update, but not their status', async () => {
		const service = await start();
		const path = `/partner/v1.0/webhooks/${service.webhookId}`;
		const { status, body } = await call(service, 'PUT', path, update);
		expect(status).toBe(200);
		expect(body).toEqual({
			data: {
				id: service.webhookId,
				partner_id: expect.any(String),
				name: update.name,
				url: update.url,
				events: update.events,
				status: 'inactive',
				is_deleted: false,
				created_at: today,
				created_by: expect.any(Number),
			},
			meta: null,
		});
		expect(service.webhooks[0].secret).toBe(update.secret);
	});

	it.each([
		['without a secret keeps the previous one', {}, update.secret],
		['with an empty secret removes it', { secret: '' }, null],
		['with another secret replaces it', { secret: 'another' }, 'another'],
	])('are updated: an update %s', async (_what, change, secret) => {
		const service = await start();
		const path = `/partner/v1.0/webhooks/${service.webhookId}`;
		await call(service, 'PUT', path, update);
		expect(
			(await call(service, 'PUT', path, { ...update, secret: undefined, ...change })).status,
		).toBe(200);
		expect(service.webhooks[0].secret).toBe(secret);
	});

	it.each([
		['no name', { name: undefined }, 'name', 'is required'],
		['no URL', { url: undefined }, 'url', 'is required'],
		['no events', { events: undefined }, 'events', 'is required'],
		['an empty name', { name: '' }, 'name', 'must not be empty'],
		['an invalid host', { url: 'http://[/' }, 'url', 'must be an http or https URL'],
		['a space in the URL', { url: 'http://a/ b' }, 'url', 'must be an http or https URL'],
		['an invalid URL', { url: 'results' }, 'url', 'must be an http or https URL'],
		[
			'a URL of another scheme',
			{ url: 'ftp://example.com/' },
			'url',
			'must be an http or https URL',
		],
		[
			'an unknown event',
			{ events: ['candidate_invited'] },
			'events.0',
			'must be one of: candidate_application_result_ready',
		],
		[
			'a wildcard',
			{ events: ['*'] },
			'events.0',
			'must be one of: candidate_application_result_ready',
		],
		['events as one string', { events: update.events[0] }, 'events', 'must be array'],
		[
			'a secret that is not a valid header value',
			{ secret: 'two\nlines' },
			'secret',
			'must be a valid header value',
		],
		['an unknown field', { status: 'active' }, 'status', 'is not a field of this request'],
	])('reject an update with %s', async (_what, change, field, rule) => {
		const service = await start();
		const path = `/partner/v1.0/webhooks/${service.webhookId}`;
		const { status, body } = await call(service, 'PUT', path, { ...update, ...change });
		expect(status).toBe(400);
		expect(body.error.details).toEqual([{ field, rule }]);
		expect(service.webhooks[0].name).not.toBe(update.name);
	});

	it.each(['active', 'inactive'])('can be set to %s, even twice', async (wanted) => {
		const service = await start();
		const path = `/partner/v1.0/webhooks/${service.webhookId}/status`;
		for (let time = 0; time < 2; time += 1) {
			const { status, body } = await call(service, 'PUT', path, { status: wanted });
			expect(status).toBe(200);
			expect(body).toMatchObject({ data: { id: service.webhookId, status: wanted }, meta: null });
		}
	});

	it.each([
		{ status: 'paused' },
		{ status: 'ACTIVE' },
		{ status: true },
		{},
		{ status: 'active', name: 'x' },
	])('reject the status %j', async (body) => {
		const service = await start();
		const path = `/partner/v1.0/webhooks/${service.webhookId}/status`;
		expect((await call(service, 'PUT', path, body)).status).toBe(400);
	});

	it('say so when deleted, keep their status, and are gone for later requests', async () => {
		const service = await start();
		const id = service.createWebhook({ status: 'active' });
		const path = `/partner/v1.0/webhooks/${id}`;
		const { status, body } = await call(service, 'DELETE', path);
		expect(status).toBe(200);
		expect(body).toMatchObject({ data: { id, is_deleted: true, status: 'active' }, meta: null });
		expect((await call(service, 'DELETE', path)).status).toBe(404);
		expect((await call(service, 'PUT', path, update)).status).toBe(404);
		expect((await call(service, 'PUT', `${path}/status`, { status: 'active' })).status).toBe(404);
	});

	it.each([
		['PUT', '', update],
		['PUT', '/status', { status: 'active' }],
		['DELETE', '', undefined],
	])(
		'%s webhooks/{id}%s responds 404 for an unknown ID and 400 for an invalid one',
		async (method, rest, body) => {
			const service = await start();
			const path = (id: string) => `/partner/v1.0/webhooks/${id}${rest}`;
			expect((await call(service, method, path(unknownId), body)).status).toBe(404);
			expect((await call(service, method, path('12'), body)).status).toBe(400);
		},
	);

	it('are found by their ID in upper case, too', async () => {
		const service = await start();
		const path = `/partner/v1.0/webhooks/${service.webhookId.toUpperCase()}`;
		expect((await call(service, 'PUT', path, update)).status).toBe(200);
	});

	it('never show the secret, neither in a response nor on the overview page', async () => {
		const service = await start();
		const path = `/partner/v1.0/webhooks/${service.webhookId}`;
		const responses = [
			await call(service, 'PUT', path, update),
			await call(service, 'PUT', `${path}/status`, { status: 'active' }),
			await call(service, 'GET', '/', undefined, {}),
			await call(service, 'GET', '/activity', undefined, {}),
			await call(service, 'DELETE', path),
		];
		for (const response of responses) {
			expect(response.status).toBe(200);
			expect(JSON.stringify(response.body)).not.toContain(update.secret);
		}
	});
});

describe('every endpoint', () => {
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
	])('responds %s', async (_what, change, expected) => {
		const service = await start({ accessToken: 'the-token' });
		for (const [method, path, body] of endpoints(service.webhookId)) {
			const headers = { ...required(service), ...change };
			const response = await call(service, method, path, body, headers);
			expect([method, path, response.status]).toEqual([method, path, expected]);
			expect(response.body.error.details).toEqual([]);
			expect(JSON.stringify(response.body)).not.toContain('the-token');
		}
		expect(service.invitations).toHaveLength(0);
		expect(service.webhooks).toMatchObject([{ status: 'inactive', is_deleted: false }]);
	});

	it('requires the Content-Type on GET, too, and accepts it with an empty body', async () => {
		const service = await start();
		const others = new Headers(required(service));
		others.delete('content-type');
		const path = `${candidatesPath}/invitation/${await invite(service)}`;
		expect((await call(service, 'GET', path, undefined, others)).status).toBe(415);
		expect((await call(service, 'GET', path)).status).toBe(200);
	});

	it.each([
		['GET', candidatesPath],
		['POST', '/partner/v1.0/webhooks'],
		['GET', '/partner/v2.0/standard/candidates'],
		['GET', '/partner'],
	])('is one of five: %s %s is 404 in JSON', async (method, path) => {
		const service = await start();
		const { status, body } = await call(service, method, path, method === 'POST' ? {} : undefined);
		expect(status).toBe(404);
		expect(body.error.code).toBe('not_found');
	});
});

describe('the service', () => {
	it('creates a new token at each start and listens on the loopback interface', async () => {
		const [one, other] = [await start(), await start()];
		expect(one.accessToken).not.toBe(other.accessToken);
		expect(one.accessToken.length).toBeGreaterThanOrEqual(32);
		expect(one.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	});

	it('reports a port that is in use', async () => {
		const service = await start();
		const port = Number(service.baseUrl.split(':').pop());
		await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
	});

	it('records each API request, its status, and whether it was processed', async () => {
		const service = await start();
		await call(service, 'POST', `${candidatesPath}?x=1`, ada);
		await call(service, 'POST', candidatesPath, { ...ada, job_id: 1 });
		await call(service, 'GET', '/', undefined, {});
		expect(service.requests).toMatchObject([
			{
				route: 'createInvitation',
				method: 'POST',
				path: `${candidatesPath}?x=1`,
				headers: { authorization: `Bearer ${service.accessToken}` },
				body: ada,
				at: today,
				status: 200,
				inFlight: 1,
				processed: true,
			},
			{ status: 400, body: { job_id: 1 }, processed: false },
		]);
		service.clearRequests();
		expect(service.requests).toHaveLength(0);
	});

	it('records only the newest requests up to the limit', async () => {
		const service = await start({ maxRecordedRequests: 2 });
		for (const code of ['a', 'b', 'c']) await retrieve(service, code);
		expect(service.requests.map(({ path }) => path.slice(-1))).toEqual(['b', 'c']);
	});

	it('counts the requests in flight', async () => {
		const service = await start();
		service.faults.inject({ route: '*', times: 4, delayMs: 100 });
		await Promise.all(['a', 'b', 'c', 'd'].map(async (code) => await retrieve(service, code)));
		expect(service.requests.map(({ inFlight }) => inFlight)).toEqual([1, 2, 3, 4]);
		await retrieve(service, 'e');
		expect(service.requests[4].inFlight).toBe(1);
	});
});
