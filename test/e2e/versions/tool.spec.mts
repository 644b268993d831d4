import { ACTION, withCredential } from '../../../demo/workflows/parts.mts';
import { reply, startChatModel, toolCall } from '../../support/chatModel.mts';
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
		const { id } = await client.createWorkflow(workflow);
		expect((await client.runToEnd(id, START)).status).toBe('success');
		await model.close();
		expect(service.requests).toEqual([]);
		const [, { messages }] = model.requests;
		const error = 'External Reference ID: 51 characters, but the maximum is 50';
		expect(JSON.parse(messages.at(-1)!.content!)).toEqual([{ error, outcome: 'invalid' }]);
	});
}
