import { expect, jsonOf, test } from './fixtures.mts';

const EXAMPLE = 'first-result';

test(`${EXAMPLE}: each run invites again, and gets the status`, async ({
	n8n: { client },
	service,
	importFile,
}) => {
	const parameters = {
		'Invite Yourself': { email: 'maya@people.example', firstName: 'Maya', lastName: 'Okafor' },
	};
	const { id } = await importFile(EXAMPLE, { parameters });
	for (const count of [1, 2]) {
		const execution = await client.runToEnd(id, 'Start');
		expect(jsonOf(execution, 'Get Scores')).toMatchObject([{ status: 'invited' }]);
		expect(service.invitations).toHaveLength(count);
	}
});
