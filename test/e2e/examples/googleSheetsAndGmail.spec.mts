import { JOB } from '../../support/example.mts';
import { expect, invitationOf, jsonOf, nodesRun, test } from './fixtures.mts';

const EXAMPLE = 'google-sheets-and-gmail';
const START = 'Every Morning At 8';

/** Rows as people write them. */
const ROWS = ['', 'New ', 'withdrawn', 'invited', 'invited'].map((status, index) => ({
	row_number: index + 2,
	'Application ID ': `APP-${index}`,
	'job id': JOB,
	'First Name': 'Maya',
	LAST_NAME: 'Okafor',
	Email: index === 1 ? '' : `maya${index}@people.example`,
	status,
	invitation_link: status === 'invited' ? `https://assessment.example.com/${index}` : '',
	link_sent_at: index === 4 ? '2026-11-02' : '',
}));

test(`${EXAMPLE}: new rows are invited, and each goes to the node that writes its outcome`, async ({
	n8n: { client },
	service,
	importExample,
}) => {
	const workflow = await importExample(EXAMPLE);
	const pinData = { 'Read The Sheet': ROWS.map((json) => ({ json })) };
	const { name, nodes, connections } = workflow;
	const { id } = await client.createWorkflow({ name, nodes, connections, pinData });
	const execution = await client.runToEnd(id, START);
	expect(execution.status).toBe('success');
	expect(service.invitations.map(({ ext_reference_id }) => ext_reference_id)).toEqual(['APP-0']);
	const { email, invitation_link } = invitationOf(service, 'APP-0');
	// The link that wasn't sent yet is the first.
	expect(jsonOf(execution, 'Email The Link')).toMatchObject([
		{ email: 'maya3@people.example', invitation_link: 'https://assessment.example.com/3' },
		{ email, invitation_link },
	]);
	expect(jsonOf(execution, 'Write What To Correct')).toEqual([
		expect.objectContaining({ row_number: 3, outcome: 'invalid' }),
	]);
	const again = await client.runToEnd(id, START);
	expect(jsonOf(again, 'Write Invited Before')).toHaveLength(1);
	expect(service.invitations).toHaveLength(1);

	const samples = await client.runToEnd(workflow.id, START);
	expect(nodesRun(samples)).toContain('Note When It Was Sent');
	expect(service.requests).toHaveLength(1);
});
