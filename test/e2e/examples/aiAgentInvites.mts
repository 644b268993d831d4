import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { itemsOf, type N8nClient } from '../../../tools/n8n/client.mts';
import {
	reply,
	startChatModel,
	toolCall,
	type ChatModel,
	type ToolDefinition,
} from '../../support/chatModel.mts';
import { importExample } from '../../support/example.mts';
import type { Ground } from '../examples.mts';

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
const SAVED = join(import.meta.dirname, '..', '..', '..', '.data', 'tool-definition.json');

/** An agent whose model gets a field wrong at first, as models do. */
export async function checkAiAgentInvites(ground: Ground): Promise<void> {
	const model = await startChatModel([
		toolCall(TOOL, { ...CANDIDATE, job_id: 'Customer Support' }),
		toolCall(TOOL, { ...CANDIDATE, job_id: JOB_ID }),
		reply(LAST_WORDS),
		toolCall(TOOL, { ...CANDIDATE, job_id: JOB_ID, application_id: 'APP-2026-0901' }),
		reply('Please look whether Maya Okafor was invited.'),
	]);
	try {
		await checkWith(model, ground);
	} finally {
		await model.close();
	}
}

async function checkWith(model: ChatModel, ground: Ground): Promise<void> {
	const { demo, credential, imported, check } = ground;
	const { client, service } = demo;
	/** What the tool gave the model before it was asked for the n-th time, from 0. */
	const heard = (asked: number) =>
		model.requests[asked]?.messages.filter(({ role }) => role === 'tool').at(-1)?.content ?? '';
	const invitations = () =>
		service.invitations.filter((one) => one.ext_reference_id === CANDIDATE.application_id);

	await check('ai-agent-invites: the agent invites through the tool', async () => {
		const openAi = await client.createCredential({
			name: 'Stand-in model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: model.url, organizationId: '', header: false },
		});
		const workflow = await importExample(client, 'ai-agent-invites', {
			credentials: { 'OpenAI Chat Model': openAi, 'Invite A Candidate': credential },
		});
		imported.set('ai-agent-invites', workflow.id);
		const message = 'Please invite Maya Okafor (maya.okafor@example.com, APP-2026-0900).';
		await chat(client, workflow.id, message);
		const [{ id }] = await client.waitForExecutions(workflow.id, 1);
		const execution = await client.waitForExecution(id);
		assert.equal(execution.status, 'success');
		assert.deepEqual(
			itemsOf(execution, AGENT).map(({ json }) => json.output),
			[LAST_WORDS],
		);
		const { email, first_name, last_name } = CANDIDATE;
		assert.deepEqual(
			invitations().map((one) => [one.job_id, one.email, one.first_name, one.last_name]),
			[[JOB_ID, email, first_name, last_name]],
		);
	});

	await check('ai-agent-invites: the model heard what was wrong, then the link', async () => {
		assert.match(heard(1), /Job ID: a UUID is expected/);
		const { invitation_link: link } = invitations()[0];
		assert.ok(heard(2).includes(link), `it heard ${heard(2)}`);
	});

	await check('ai-agent-invites: unsure about an invitation, it hears to look first', async () => {
		service.faults.inject({ route: 'createInvitation', status: 500, times: 1 });
		const id = imported.get('ai-agent-invites');
		assert.ok(id);
		await chat(client, id, 'Please invite her for APP-2026-0901, too.');
		assert.match(heard(4), /not known whether this candidate was invited.*Look in the service/);
	});

	await check('ai-agent-invites: the tool explains itself and its fields', async () => {
		const tools = model.requests[0]?.tools ?? [];
		await mkdir(join(SAVED, '..'), { recursive: true });
		await writeFile(SAVED, JSON.stringify(tools, null, '\t'));
		assert.equal(tools.length, 1);
		const { name, description, parameters }: ToolDefinition = tools[0].function;
		assert.equal(name, TOOL);
		assert.match(description, /^Invites one candidate to the assessment of a job\./);
		assert.deepEqual(parameters.required, ['job_id', ...Object.keys(CANDIDATE)]);
		for (const [field, { type, description: words }] of Object.entries(parameters.properties)) {
			assert.equal(type, 'string', field);
			assert.ok(words, `${field} has no description`);
		}
	});
}

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
	assert.equal(response.status, 200, await response.text());
}
