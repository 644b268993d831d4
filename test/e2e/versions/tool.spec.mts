import { ACTION, withCredential } from '../../../demo/workflows/parts.mts';
import type { Credential } from '../../../tools/n8n/client.mts';
import {
	reply,
	startChatModel,
	toolCall,
	toolCalls,
	type ChatModel,
} from '../../support/chatModel.mts';
import {
	actionNode,
	anonymousInvitation,
	baseNode,
	START,
	workflowOf,
} from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

// n8n's agent has run its tools in different ways.
for (const typeVersion of [1.7, 2.2, 3]) {
	test(`the model of an agent ${typeVersion} hears why its tool failed`, async ({
		n8n: { client },
		service,
		credential,
	}) => {
		const answers = [toolCall('Invite', { reference: 'x'.repeat(51) }), reply('Nobody invited.')];
		const model = await startChatModel(client, answers);
		const workflow = recruiter(typeVersion, model, credential);
		const { id } = await client.createWorkflow(workflow);
		expect((await client.runToEnd(id, START)).status).toBe('success');
		await model.close();
		expect(service.requests).toEqual([]);
		const [, { messages }] = model.requests;
		const error = 'External Reference ID: 51 characters, but the maximum is 50';
		expect(JSON.parse(messages.at(-1)!.content!)).toEqual([{ error, outcome: 'invalid' }]);
	});

	test(`the model of an agent ${typeVersion} hears who of three was already invited`, async ({
		n8n: { client },
		service,
		credential,
	}) => {
		const invite = (reference: string) => toolCall('Invite', { reference });
		const three = toolCalls(...['APP-1', 'APP-2', 'APP-3'].map(invite));
		const answers = [invite('APP-2'), reply('Invited.'), three, reply('Done.')];
		const model = await startChatModel(client, answers);
		const { id } = await client.createWorkflow(recruiter(typeVersion, model, credential));
		for (const _ of ['first', 'second']) {
			expect((await client.runToEnd(id, START)).status).toBe('success');
		}
		await model.close();
		const { messages } = model.requests.at(-1)!;
		const heard = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
		const message = 'APP-2: This candidate was already invited. Nothing was sent.';
		expect(heard).toEqual([
			expect.stringContaining('"ext_reference_id":"APP-1"'),
			JSON.stringify([{ message }]),
			expect.stringContaining('"ext_reference_id":"APP-3"'),
		]);
		expect(service.requests).toHaveLength(3);
	});
}

/** An agent whose model chooses the reference of whom it invites. */
function recruiter(typeVersion: number, model: ChatModel, credential: Credential) {
	const extReferenceId = "={{ $fromAI('reference', '', 'string') }}";
	const workflow = workflowOf(
		'Recruiter',
		baseNode(START, 'manualTrigger', 1),
		{
			name: 'Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion,
			parameters: { promptType: 'define', text: 'Invite them', options: {} },
		},
		{
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'mock' } },
			credentials: withCredential(model.credential),
		},
		actionNode(credential, anonymousInvitation({ extReferenceId }), {
			name: 'Invite',
			type: `${ACTION}Tool`,
		}),
	);
	const toAgent = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
	workflow.connections = {
		[START]: toAgent('main'),
		Model: toAgent('ai_languageModel'),
		Invite: toAgent('ai_tool'),
	};
	return workflow;
}
