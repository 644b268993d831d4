import { inviteAt } from '../../support/invite.mts';
import { expect, jsonOf, test } from './fixtures.mts';

const EXAMPLE = 'first-result';

test(`${EXAMPLE}: each run invites again; a link that is pasted gets its status and invites nobody`, async ({
	n8n: { client },
	service,
	importExample,
}) => {
	const { invitation_link: value } = await inviteAt(service);
	const parameters = {
		'Invite Yourself': { email: 'maya@people.example', firstName: 'Maya', lastName: 'Okafor' },
		'Get Scores': { invitationCode: { __rl: true, mode: 'link', value } },
	};
	const workflow = await importExample(EXAMPLE, { parameters });
	for (const count of [2, 3]) {
		await client.runToEnd(workflow.id, 'Start');
		expect(service.invitations).toHaveLength(count);
	}
	// The page was reloaded: n8n knows no earlier output.
	const destinationNode = { nodeName: 'Get Scores', mode: 'inclusive' };
	const { executionId } = await client.request<{ executionId: string }>(
		'POST',
		`/rest/workflows/${workflow.id}/run`,
		{ workflowData: workflow, destinationNode, runData: {} },
	);
	const execution = await client.waitForExecution(executionId);
	expect(jsonOf(execution, 'Get Scores')).toMatchObject([{ status: 'invited' }]);
	expect(service.invitations).toHaveLength(3);
});
