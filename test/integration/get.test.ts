import { getByCode, setUp } from './support/setup';

const setup = setUp();

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
