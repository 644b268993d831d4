import type { PartnerService } from '../../mock-service/service.mts';
import { ada, call, candidatesPath, invite, retrieve, start, today } from './support';

const long = (length: number) => 'x'.repeat(length);

let service: PartnerService;
beforeEach(async () => {
	service = await start();
});

it('an invitation is answered with the fields of the specification in the envelope', async () => {
	const { status, body } = await call(service, 'POST', candidatesPath, ada);
	expect(status).toBe(200);
	expect(body).toEqual({
		data: {
			...ada,
			candidate_id: expect.any(String),
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

it('each request creates an invitation, and omitted details are null', async () => {
	expect(await invite(service)).not.toBe(await invite(service));
	const { job_id } = ada;
	const anonymous = { job_id, ext_reference_id: 'ANON-1', is_anonymous_candidate: true };
	const { body } = await call(service, 'POST', candidatesPath, anonymous);
	expect(body.data).toMatchObject({ email: null, first_name: null, last_name: null });
	expect(service.invitations).toHaveLength(3);
});

// One for each wording: specification.test.ts holds the rules themselves against the specification.
it.each([
	[{ job_id: undefined }, 'job_id', 'is required'],
	[{ email: '' }, 'email', 'must not be empty'],
	[{ ext_reference_id: long(51) }, 'ext_reference_id', 'must have at most 50 characters'],
	[{ job_id: 'job-1' }, 'job_id', 'must be a UUID'],
	[{ ext_reference_id: 1001 }, 'ext_reference_id', 'must be string'],
	[{ deadline: today }, 'deadline', 'must be in the future'],
	[{ deadline: '2027-03-02T12:00:00Z' }, 'deadline', 'must be within 3 months of the current date'],
	[{ deadline: '2026-12-01T12:00:00+01:00' }, 'deadline', 'must be a UTC date-time (ISO 8601)'],
	[{ skills: Array(16).fill({ name: 'Chess' }) }, 'skills', 'must have at most 15 items'],
	[{ skills: [{ level: 1 }] }, 'skills.0.level', 'is not a field of this request'],
])(
	'an invitation with %j is rejected, naming the field and the rule',
	async (change, field, rule) => {
		const { status, body } = await call(service, 'POST', candidatesPath, { ...ada, ...change });
		expect(status).toBe(400);
		expect(body.error.details).toEqual([{ field, rule }]);
		expect(service.invitations).toHaveLength(0);
	},
);

it.each([
	['not JSON', '{"job_id":', 400],
	['not an object', '[]', 400],
	['empty', undefined, 400],
	['larger than a megabyte', { ...ada, email: long(1_100_000) }, 413],
])('a body that is %s is rejected', async (_what, body, expected) => {
	expect((await call(service, 'POST', candidatesPath, body)).status).toBe(expected);
});

it('a candidate has report links and all five scores once the assessment is finished', async () => {
	const created = (await call(service, 'POST', candidatesPath, ada)).body.data;
	const code = created.invitation_link.split('/').pop();
	const pending = { report_pdf_link: null, report_profile_link: null, scores: [] };
	expect((await retrieve(service, code)).body.data).toEqual({
		...{ ...created, ...pending },
		additional_scores: [],
	});
	await service.finish(code);
	const { data } = (await retrieve(service, code)).body;
	const { scores, additional_scores, ...rest } = data;
	expect(rest).toEqual({
		...{ ...created, status: 'completed' },
		report_pdf_link: `${service.baseUrl}/reports/${code}.pdf`,
		report_profile_link: `${service.baseUrl}/profiles/${code}`,
	});
	const types = [...scores, ...additional_scores].map(({ score_type }) => score_type);
	expect(types).toEqual([
		...['role_fit', 'organizational_fit'],
		...['reasoning_numeric', 'reasoning_verbal', 'reasoning_logical'],
	]);
	for (const { score_value, score_format } of [...scores, ...additional_scores]) {
		expect(score_value).toBeGreaterThanOrEqual(0);
		expect(score_value).toBeLessThanOrEqual(score_format);
	}
});

it.each(['unknown', '%2e%2e%2f', 'a%20b', long(400)])('nobody has the code %s', async (code) => {
	const { status, body } = await retrieve(service, code);
	expect(status).toBe(404);
	expect(body.error.code).toBe('candidate_not_found');
});
