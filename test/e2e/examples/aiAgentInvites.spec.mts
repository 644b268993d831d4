import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { itemsOf, type N8nClient } from '../../../tools/n8n/client.mts';
import {
	reply,
	startChatModel,
	toolCall,
	type ChatMessage,
	type ChatModel,
} from '../../support/chatModel.mts';
import { importExample } from '../../support/example.mts';
import { DATA } from '../../support/testEnvironment.mts';
import { expect, test as base } from '../fixtures.mts';

const CHAT = 'When Chat Message Received';
const AGENT = 'Recruiting Assistant';
const TOOL = 'Invite_A_Candidate';
const CANDIDATE = {
	application_id: 'APP-2026-0900',
	email: 'maya.okafor@example.com',
	first_name: 'Maya',
	last_name: 'Okafor',
};
const JOB_ID = '5f0c8a52-6a3e-4c1d-9d57-2f1b7c0e9a64';
const LAST_WORDS = 'Maya Okafor is invited.';

/** The model gets a field wrong at first, as models do. */
const AT_SECOND_ATTEMPT = [
	toolCall(TOOL, { ...CANDIDATE, job_id: 'Customer Support' }),
	toolCall(TOOL, { ...CANDIDATE, job_id: JOB_ID }),
	reply(LAST_WORDS),
];

interface Conversation {
	model: ChatModel;
	workflowId: string;
}

const test = base.extend<{
	/** Has the agent asked to invite our candidate, with a model that gives these answers. */
	converse: (answers: ChatMessage[]) => Promise<Conversation>;
}>({
	converse: async ({ n8n: { client }, credential }, use) => {
		const models: ChatModel[] = [];
		await use(async (answers) => {
			const model = await startChatModel(answers);
			models.push(model);
			const openAi = await client.createCredential({
				name: 'Mock model',
				type: 'openAiApi',
				data: { apiKey: 'none', url: model.url, organizationId: '', header: false },
			});
			const { id } = await importExample(client, 'ai-agent-invites', {
				credentials: { 'OpenAI Chat Model': openAi, 'Invite A Candidate': credential },
			});
			await chat(client, id, 'Please invite Maya Okafor (maya.okafor@example.com, APP-2026-0900).');
			return { model, workflowId: id };
		});
		for (const model of models) await model.close();
	},
});

/** What the tool gave the model before it was asked for the n-th time, from 0. */
const heard = ({ requests }: ChatModel, asked: number) =>
	requests[asked]?.messages.filter(({ role }) => role === 'tool').at(-1)?.content ?? '';

test('ai-agent-invites: the agent invites through the tool', async ({
	converse,
	n8n: { client },
	service,
}) => {
	const { workflowId } = await converse(AT_SECOND_ATTEMPT);
	const [{ id }] = await client.waitForExecutions(workflowId, 1);
	const execution = await client.waitForExecution(id);
	expect(execution.status).toBe('success');
	expect(itemsOf(execution, AGENT).map(({ json }) => json.output)).toEqual([LAST_WORDS]);
	const { application_id, email, first_name, last_name } = CANDIDATE;
	expect(
		service.invitations.map((one) => [
			one.ext_reference_id,
			one.job_id,
			one.email,
			one.first_name,
			one.last_name,
		]),
	).toEqual([[application_id, JOB_ID, email, first_name, last_name]]);
});

test('ai-agent-invites: the model heard what was wrong, then the link', async ({
	converse,
	service,
}) => {
	const { model } = await converse(AT_SECOND_ATTEMPT);
	expect(heard(model, 1)).toMatch(/is not a job ID/);
	expect(heard(model, 2)).toContain(service.invitations[0].invitation_link);
});

test('ai-agent-invites: unsure about an invitation, it hears to look first', async ({
	converse,
	service,
}) => {
	service.faults.inject({ route: 'createInvitation', status: 500, times: 1 });
	const { model } = await converse([
		toolCall(TOOL, { ...CANDIDATE, job_id: JOB_ID }),
		reply('Please look whether Maya Okafor was invited.'),
	]);
	expect(heard(model, 1)).toMatch(
		/not known whether this candidate was invited.*Look in the service/,
	);
});

test('ai-agent-invites: the tool explains itself and its fields', async ({ converse }) => {
	const { model } = await converse([reply('What for?')]);
	const tools = model.requests[0]?.tools ?? [];
	await mkdir(DATA, { recursive: true });
	await writeFile(join(DATA, 'tool-definition.json'), JSON.stringify(tools, null, '\t'));
	expect(tools).toHaveLength(1);
	const { name, description, parameters } = tools[0].function;
	expect(name).toBe(TOOL);
	expect(description).toMatch(/^Invites one candidate to the assessment of a job\./);
	expect(parameters.required).toEqual(['job_id', ...Object.keys(CANDIDATE)]);
	for (const [field, { type, description: words }] of Object.entries(parameters.properties)) {
		expect(type, field).toBe('string');
		expect(words, `description of ${field}`).toBeTruthy();
	}
});

/** Writes a message to the workflow in the chat beside the canvas; comes back with the answer. */
async function chat(client: N8nClient, id: string, chatInput: string): Promise<void> {
	const sessionId = randomUUID();
	await client.request('POST', `/rest/workflows/${id}/run`, {
		triggerToStartFrom: { name: CHAT },
		chatSessionId: sessionId,
	});
	const response = await fetch(`${client.baseUrl}/webhook-test/${id}/${sessionId}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ action: 'sendMessage', sessionId, chatInput }),
		signal: AbortSignal.timeout(60_000),
	});
	expect(response.status, await response.text()).toBe(200);
}
