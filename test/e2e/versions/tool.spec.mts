import { ACTION, withCredential } from '../../../demo/workflows/parts.mts';
import type { Credential } from '../../../tools/n8n/client.mts';
import {
	reply,
	startChatModel,
	toolCall,
	toolCalls,
	type ChatModel,
} from '../support/chatModel.mts';
import {
	actionNode,
	anonymousInvitation,
	baseNode,
	START,
	workflowOf,
} from '../support/workflows.mts';
import { expect, test } from '../support/fixtures.mts';

// These versions of n8n's agent run tools in different ways.
for (const typeVersion of [1.7, 2.2, 3]) {
	test(`the model of an agent ${typeVersion} hears why its tool failed, and who of three was already invited`, async ({
		n8n: { client },
		service,
		credential,
	}) => {
		const invite = (reference: string) => toolCall('Invite', { reference });
		const three = toolCalls(...['APP-1', 'APP-2', 'APP-3'].map(invite));
		const turns = [invite('x'.repeat(51)), invite('APP-2'), three];
		const model = await startChatModel(
			client,
			turns.flatMap((turn) => [turn, reply('Done.')]),
		);
		const { id } = await client.createWorkflow(recruiter(typeVersion, model, credential));
		for (const _ of turns) expect((await client.runToEnd(id, START)).status).toBe('success');
		await model.close();
		const heard = (asked: number) =>
			model.requests[asked].messages.flatMap(({ role, content }) =>
				role === 'tool' ? String(content) : [],
			);
		const error = 'External Reference ID: 51 characters, but the maximum is 50';
		expect(heard(1).map((each) => JSON.parse(each))).toEqual([[{ error, outcome: 'invalid' }]]);
		const message = 'APP-2: This candidate was already invited. Nothing was sent.';
		expect(heard(5)).toEqual([
			expect.stringContaining('"ext_reference_id":"APP-1"'),
			JSON.stringify([{ message }]),
			expect.stringContaining('"ext_reference_id":"APP-3"'),
		]);
		expect(service.requests).toHaveLength(3);
	});
}

/** An agent whose model chooses the candidate's reference. */
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
