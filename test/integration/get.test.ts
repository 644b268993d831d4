import { getByCode, invitation, setUp } from './setup';

const setup = setUp();

/** Invites a candidate who then finishes, and gives invitation code and link. */
async function finished(): Promise<{ code: string; link: string }> {
	const { json } = await setup.harness.run(invitation());
	const link = String(json[0].invitation_link);
	const code = link.slice(link.lastIndexOf('/') + 1);
	await setup.service.finish(code);
	setup.service.clearRequests();
	return { code, link };
}

describe('Candidate: Get', () => {
	it('retrieves a candidate by code and simplifies to ten flat fields with scores by type', async () => {
		const { code } = await finished();
		const { json } = await setup.harness.run(getByCode(code));
		const [{ method, path, body, headers }] = setup.service.requests;
		expect([method, path]).toEqual(['GET', `/partner/v1.0/standard/candidates/invitation/${code}`]);
		expect(body).toBeUndefined();
		expect(headers).toMatchObject({
			accept: 'application/json',
			'content-type': 'application/json',
		});
		const [first, second, ...others] = Object.keys(json[0]);
		expect([first, second, others.length]).toEqual(['status', 'scores', 8]);
		expect(others).toContain('invitation_link');
		// By which nobody can be looked up.
		expect(others).not.toContain('candidate_id');
		expect(json[0]).toMatchObject({ ext_reference_id: 'APP-1', status: 'completed' });
		expect(json[0].scores).toEqual({
			role_fit: expect.any(Number),
			organizational_fit: expect.any(Number),
			reasoning_numeric: expect.any(Number),
			reasoning_verbal: expect.any(Number),
			reasoning_logical: expect.any(Number),
		});
	});

	it('takes the code from the end of an invitation link, and gives all data if not simplified', async () => {
		const { link } = await finished();
		const invitationCode = { __rl: true, mode: 'link', value: link };
		const { json } = await setup.harness.run(getByCode('', { invitationCode, simplify: false }));
		expect(json[0]).toMatchObject({
			status: 'completed',
			is_anonymous_candidate: false,
			invitation_link: link,
			scores: expect.arrayContaining([expect.objectContaining({ score_type: 'role_fit' })]),
			additional_scores: expect.any(Array),
		});
	});

	it('says in plain words that there is no candidate for a code', async () => {
		const { error } = await setup.harness.run(getByCode('unknown'));
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: 'No candidate with this invitation exists',
			httpCode: '404',
		});
	});
});
