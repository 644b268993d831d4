import { getByCode, setUp } from './support/setup';

const setup = setUp();

it('Candidate: Get takes the code from the end of a link, and gives all data if not simplified', async () => {
	const { link, code } = await setup.invite();
	await setup.service.finish(code);
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

it.each([[[]], [[500]]])(
	'Candidate: Get says in plain words that there is no candidate for a code, after tries that failed: %j',
	async (statuses) => {
		for (const status of statuses) setup.service.faults.inject({ route: '*', status });
		const { error } = await setup.harness.run(getByCode('unknown'));
		const message = 'No candidate with this invitation exists';
		expect(error).toMatchObject({ name: 'NodeApiError', message, httpCode: '404' });
		expect(error?.description?.match(/invitation_link/g)).toHaveLength(1);
		expect(error?.description).toContain('Mail systems rewrite links (Safe Links, urldefense)');
	},
);
