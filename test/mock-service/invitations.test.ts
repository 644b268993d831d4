import { ada, call, candidatesPath, invite, retrieve, shared, start, today } from './support';

const long = (length: number) => 'x'.repeat(length);
const many = <T>(count: number, one: T) => Array.from({ length: count }, () => one);

describe('creating an invitation', () => {
	const service = shared();

	it('responds 200 with the fields of the specification in the envelope', async () => {
		const { status, body } = await call(service(), 'POST', candidatesPath, ada);
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
					new RegExp(`^${service().baseUrl}/invitations/[0-9a-f]+$`),
				),
				invitation_expired_at: '2027-02-28T12:00:00.000Z',
				created_at: today,
			},
			meta: null,
		});
	});

	it('creates a new invitation every time, and returns null for omitted details', async () => {
		const before = service().invitations.length;
		expect(await invite(service())).not.toBe(await invite(service()));
		const { job_id } = ada;
		const anonymous = { job_id, ext_reference_id: 'ANON-1', is_anonymous_candidate: true };
		const { body } = await call(service(), 'POST', candidatesPath, anonymous);
		expect(body.data).toMatchObject({ email: null, first_name: null, last_name: null });
		expect(service().invitations).toHaveLength(before + 3);
	});

	it.each([
		['2026-12-24T18:00:00Z', '2026-12-24T18:00:00.000Z'],
		['2026-12-01T12:00:00+00:00', '2026-12-01T12:00:00.000Z'],
		// The very end of the last day.
		['2027-03-02T11:59:59.999Z', '2027-03-02T11:59:59.999Z'],
	])('keeps the deadline %s', async (deadline, kept) => {
		const { body } = await call(service(), 'POST', candidatesPath, { ...ada, deadline });
		expect(body.data.invitation_expired_at).toBe(kept);
	});

	// One for each wording: the rules themselves are held against the specification in specification.test.ts.
	it.each([
		[{ job_id: undefined }, 'job_id', 'is required'],
		[{ email: '' }, 'email', 'must not be empty'],
		[{ ext_reference_id: long(51) }, 'ext_reference_id', 'must have at most 50 characters'],
		[{ job_id: 'job-1' }, 'job_id', 'must be a UUID'],
		[{ ext_reference_id: 1001 }, 'ext_reference_id', 'must be string'],
		[{ deadline: today }, 'deadline', 'must be in the future'],
		[
			{ deadline: '2027-03-02T12:00:00Z' },
			'deadline',
			'must be within 3 months of the current date',
		],
		[{ deadline: '2026-12-01T12:00:00+01:00' }, 'deadline', 'must be a UTC date-time (ISO 8601)'],
		[{ skills: many(16, { name: 'Chess' }) }, 'skills', 'must have at most 15 items'],
		[{ skills: [{ level: 1 }] }, 'skills.0.level', 'is not a field of this request'],
		[
			{ work_experiences: [{ end_date: '2021-02-29' }] },
			'work_experiences.0.end_date',
			'must match format "date"',
		],
	])('rejects %j, naming the field and the rule', async (change, field, rule) => {
		const before = service().invitations.length;
		const { status, body } = await call(service(), 'POST', candidatesPath, { ...ada, ...change });
		expect(status).toBe(400);
		expect(body.error.details).toEqual([{ field, rule }]);
		expect(service().invitations).toHaveLength(before);
	});

	it('names every broken rule at once, and repeats nothing of the request', async () => {
		const wrong = { ...ada, email: undefined, job_id: 'Lovelace' };
		const { body } = await call(service(), 'POST', candidatesPath, wrong);
		expect(body.error.details.map((detail: { field: string }) => detail.field).sort()).toEqual([
			'email',
			'job_id',
		]);
		expect(JSON.stringify(body)).not.toContain('Lovelace');
	});

	it.each([
		['not JSON', '{"job_id":', 400],
		['not an object', '[]', 400],
		['empty', undefined, 400],
		['larger than a megabyte', { ...ada, email: long(1_100_000) }, 413],
	])('rejects a body that is %s', async (_what, body, expected) => {
		const { status } = await call(service(), 'POST', candidatesPath, body);
		expect(status).toBe(expected);
	});
});

describe('retrieving a candidate', () => {
	it('returns report links and all five scores once the assessment is finished', async () => {
		const service = await start();
		const created = (await call(service, 'POST', candidatesPath, ada)).body.data;
		const code = created.invitation_link.split('/').pop();
		const unfinished = { report_pdf_link: null, report_profile_link: null, scores: [] };
		expect((await retrieve(service, code)).body.data).toEqual({
			...created,
			...unfinished,
			additional_scores: [],
		});
		await service.finish(code);
		const { data } = (await retrieve(service, code)).body;
		const { report_pdf_link, report_profile_link, scores, additional_scores, ...rest } = data;
		expect(rest).toEqual({ ...created, status: 'completed' });
		expect(report_pdf_link).toBe(`${service.baseUrl}/reports/${code}.pdf`);
		expect(report_profile_link).toBe(`${service.baseUrl}/profiles/${code}`);
		const score = (score_type: string) => ({
			score_format: 100,
			score_type,
			score_value: expect.any(Number),
		});
		expect(scores).toEqual(['role_fit', 'organizational_fit'].map(score));
		expect(additional_scores).toEqual(
			['reasoning_numeric', 'reasoning_verbal', 'reasoning_logical'].map(score),
		);
		for (const { score_value } of [...scores, ...additional_scores]) {
			expect(score_value).toBeGreaterThanOrEqual(0);
			expect(score_value).toBeLessThanOrEqual(100);
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
