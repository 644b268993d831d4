import { ACTION } from '../../../demo/workflows/parts.mts';
import { reply, startChatModel, toolCall } from '../support/chatModel.mts';
import { JOB } from '../../support/example.mts';
import { expect, test } from '../support/aiFixtures.mts';

const CANDIDATE = { ref: 'APP-1', email: 'maya@example.com', first: 'Maya', last: 'Okafor' };

const PARAMETERS = JSON.stringify({
	resource: 'candidate',
	operation: 'invite',
	jobId: JOB,
	extReferenceId: '={{ $json.ref }}',
	email: '={{ $json.email }}',
	firstName: '={{ $json.first }}',
	lastName: '={{ $json.last }}',
});

test('an agent of its own, whose tool is a workflow that invites, invites once, and its model hears that', async ({
	n8n: { client },
	assistant,
	build,
	service,
}) => {
	const inputs = { values: Object.keys(CANDIDATE).map((name) => ({ name })) };
	const answer = [{ id: '1', name: 'message', type: 'string', value: 'Was already invited.' }];
	await build(`
		const asked = trigger({ type: 'n8n-nodes-base.executeWorkflowTrigger', version: 1.1, config: {
			name: 'asked', parameters: { workflowInputs: ${JSON.stringify(inputs)} } } });
		const invite = node({ type: '${ACTION}', version: 1, config: { name: 'Invite', parameters: ${PARAMETERS},
			credentials: { candidateAssessmentApi: newCredential('Candidate Assessment API') } }, output: [{}] });
		const known = node({ type: 'n8n-nodes-base.set', version: 3.4, config: { name: 'Known',
			parameters: { assignments: { assignments: ${JSON.stringify(answer)} } } }, output: [{}] });
		export default workflow('id', 'Invite One').add(asked).to(invite).add(invite.output(1).to(known));`);
	const invite = toolCall('invite', CANDIDATE);
	const answers = [invite, reply('Done.'), invite, reply('Done.')];
	const model = await startChatModel(client, answers);
	const { data } = await assistant.call<{ data: Array<{ id: string }> }>('search_projects');
	const { agent } = await assistant.call<{ agent: { id: string } }>('create_agent', {
		projectId: data[0].id,
		name: 'Recruiter',
		config: {
			...{ model: 'openai/mock', credential: model.credential.id, instructions: 'Invite.' },
			tools: [{ type: 'workflow', name: 'invite', workflow: 'Invite One' }],
		},
	});
	const request = { type: 'message', message: 'Invite Maya Okafor' };
	for (const _ of ['first', 'second']) {
		await assistant.call('call_agent', { agentId: agent.id, request });
	}
	await model.close();
	expect(service.invitations).toHaveLength(1);
	const heard = model.requests.map(({ messages }) => messages.at(-1)!);
	expect(heard.flatMap(({ role, content }) => (role === 'tool' ? String(content) : []))).toEqual([
		expect.stringContaining(service.invitations[0].invitation_link),
		expect.stringContaining('Was already invited.'),
	]);
});
