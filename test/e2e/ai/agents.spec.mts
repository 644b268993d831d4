import { ACTION, withCredential } from '../../../demo/workflows/parts.mts';
import { reply, startChatModel, toolCall, type ChatModel } from '../../support/chatModel.mts';
import { JOB } from '../../support/example.mts';
import { expect, test as base } from './fixtures.mts';

// An agent of its own, not in a workflow, whom a user asks twice for the same.

const CANDIDATE = { ref: 'APP-1', email: 'maya@example.com', first: 'Maya', last: 'Okafor' };

const test = base.extend<{
	/** Asks a new agent with this tool to invite our candidate, twice. Gives what its model heard from the tool. */
	askTwice: (tool: Record<string, unknown>) => Promise<string[]>;
}>({
	askTwice: async ({ n8n: { client }, assistant }, use) => {
		const models: ChatModel[] = [];
		await use(async (tool) => {
			const invite = toolCall(String(tool.name), CANDIDATE);
			const answers = [invite, reply('Done.'), invite, reply('Done.')];
			const model = await startChatModel(client, answers);
			models.push(model);
			const { data } = await assistant.call<{ data: Array<{ id: string }> }>('search_projects');
			const credential = model.credential.id;
			const config = { model: 'openai/mock', credential, instructions: 'Invite.', tools: [tool] };
			const { agent } = await assistant.call<{ agent: { id: string } }>('create_agent', {
				projectId: data[0].id,
				name: 'Recruiter',
				config,
			});
			const request = { type: 'message', message: 'Invite Maya Okafor' };
			for (let time = 0; time < 2; time++) {
				await assistant.call('call_agent', { agentId: agent.id, request });
			}
			return model.requests.flatMap(({ messages }) => {
				const { role, content } = messages.at(-1)!;
				return role === 'tool' ? String(content) : [];
			});
		});
		for (const model of models) await model.close();
	},
});

const fromModel = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;

const inviting = (from: (name: string) => string) => ({
	resource: 'candidate',
	operation: 'invite',
	jobId: JOB,
	extReferenceId: from('ref'),
	email: from('email'),
	firstName: from('first'),
	lastName: from('last'),
});

test('with our node as its tool it invites nobody, and its model hears what to do', async ({
	service,
	credential,
	askTwice,
}) => {
	const node = {
		nodeType: `${ACTION}Tool`,
		nodeTypeVersion: 1,
		nodeParameters: inviting(fromModel),
		credentials: withCredential(credential),
	};
	const heard = await askTwice({ type: 'node', name: 'invite', description: 'Invites', node });
	expect(service.requests).toEqual([]);
	const words = /Nobody was invited.+ Don't try again\. .+ workflow tool instead/;
	expect(heard).toEqual([expect.stringMatching(words), expect.stringMatching(words)]);
});

test('with a workflow that invites as its tool it invites once, and its model hears that', async ({
	build,
	service,
	askTwice,
}) => {
	const inputs = { values: Object.keys(CANDIDATE).map((name) => ({ name })) };
	const parameters = JSON.stringify(inviting((name) => `={{ $json.${name} }}`));
	const answer = [{ id: '1', name: 'message', type: 'string', value: 'Was already invited.' }];
	await build(`
		const asked = trigger({ type: 'n8n-nodes-base.executeWorkflowTrigger', version: 1.1, config: {
			name: 'asked', parameters: { workflowInputs: ${JSON.stringify(inputs)} } } });
		const invite = node({ type: '${ACTION}', version: 1, config: { name: 'Invite', parameters: ${parameters},
			credentials: { candidateAssessmentApi: newCredential('Candidate Assessment API') } }, output: [{}] });
		const known = node({ type: 'n8n-nodes-base.set', version: 3.4, config: { name: 'Known',
			parameters: { assignments: { assignments: ${JSON.stringify(answer)} } } }, output: [{}] });
		export default workflow('id', 'Invite One').add(asked).to(invite).add(invite.output(1).to(known));`);
	const heard = await askTwice({ type: 'workflow', name: 'invite', workflow: 'Invite One' });
	expect(service.invitations).toHaveLength(1);
	const [{ invitation_link }] = service.invitations;
	expect(heard).toEqual([
		expect.stringContaining(invitation_link),
		expect.stringContaining('Was already invited.'),
	]);
});
