import { getByCode, setUp } from './setup';

const setup = setUp();

/** Invites a candidate who then finishes. */
async function finished() {
	const invited = await setup.invite();
	await setup.service.finish(invited.code);
	setup.service.clearRequests();
	return invited;
}

describe('Candidate: Get', () => {
	it('retrieves a candidate by code, with status and scores first', async () => {
		const { code } = await finished();
		const { json } = await setup.harness.run(getByCode(code));
		const [{ method, path, body, headers }] = setup.service.requests;
		expect([method, path]).toEqual(['GET', `/partner/v1.0/standard/candidates/invitation/${code}`]);
		expect(body).toBeUndefined();
		expect(headers).toMatchObject({
			accept: 'application/json',
			'content-type': 'application/json',
		});
		expect(Object.keys(json[0]).slice(0, 2)).toEqual(['status', 'scores']);
		expect(json[0]).toMatchObject({ ext_reference_id: 'APP-1', status: 'completed' });
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
