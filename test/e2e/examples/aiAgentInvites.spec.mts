import type { Execution } from '../../../tools/n8n/client.mts';
import {
	createModelCredential,
	reply,
	startChatModel,
	toolCall,
	type ChatMessage,
	type ChatModel,
} from '../../support/chatModel.mts';
import { ChatWindow } from '../../support/chatWindow.mts';
import { expect, invitationOf, test as base } from './fixtures.mts';

const EXAMPLE = 'ai-agent-invites';
const CANDIDATE = {
	application_id: 'APP-2026-0815',
	email: 'maya.okafor@people.example',
	first_name: 'Maya',
	last_name: 'Okafor',
};
const LAST_WORDS = 'Maya Okafor is invited.';

const lookUp = toolCall('Look_Up_Applications', { last_name: CANDIDATE.last_name });
const invite = (candidate = CANDIDATE) =>
	toolCall('Invite_A_Candidate', { toolParameters: candidate, hitlParameters: {} });

/** A chat that has come to its end, or to the question of approval. */
interface Chat {
	model: ChatModel;
	execution: Execution;
	/** What the chat has shown. */
	shown: readonly string[];
	/** Presses a button of the question, and waits for the end. */
	press: (button: string) => Promise<Execution>;
}

const test = base.extend<{
	/** Asks the agent to invite our candidate, with a model that gives these answers. */
	chat: (answers: ChatMessage[]) => Promise<Chat>;
}>({
	chat: async ({ n8n: { client }, importAndSetUp }, use) => {
		const models: ChatModel[] = [];
		const windows: ChatWindow[] = [];
		await use(async (answers) => {
			const model = await startChatModel(answers);
			models.push(model);
			const openAi = await createModelCredential(client, model.url);
			const { id } = await importAndSetUp(EXAMPLE, {
				credentials: { 'OpenAI Chat Model': openAi },
			});
			const window = await ChatWindow.say(client, id, 'Invite Maya Okafor');
			windows.push(window);
			const { executionId } = window;
			await expect.poll(() => window.shown, { timeout: 60_000 }).toHaveLength(1);
			const execution = window.question
				? await client.getExecution(executionId)
				: await client.waitForExecution(executionId);
			const press = async (button: string) => {
				const link = window.question?.buttons.find(({ text }) => text === button)?.link;
				if (!link) throw new Error(`The chat shows no button "${button}"`);
				// n8n turns robots away.
				await fetch(link, { headers: { 'user-agent': 'Mozilla/5.0 Chrome/140.0' } });
				return await client.waitForExecution(executionId);
			};
			return { model, execution, shown: window.shown, press };
		});
		for (const window of windows) window.close();
		for (const model of models) await model.close();
	},
});

/** What the tool gave the model before it was asked for the n-th time, from 0. */
const heard = ({ requests }: ChatModel, asked: number) =>
	requests[asked]?.messages.filter(({ role }) => role === 'tool').at(-1)?.content ?? '';

test(`${EXAMPLE}: nobody is invited before a human approves; then the agent has the link`, async ({
	chat,
	service,
}) => {
	const { model, execution, shown, press } = await chat([lookUp, invite(), reply(LAST_WORDS)]);
	expect(execution.status).toBe('waiting');
	const question = 'May I invite Maya Okafor (maya.okafor@people.example, APP-2026-0815)?';
	expect(shown).toEqual([question]);
	expect(heard(model, 1)).toContain(CANDIDATE.email);
	expect(service.invitations).toEqual([]);

	const ended = await press('Invite');
	expect(ended.status).toBe('success');
	const { invitation_link } = invitationOf(service, CANDIDATE.application_id);
	expect(heard(model, 2)).toContain(invitation_link);
	expect(shown).toEqual([question, LAST_WORDS]);
});

test(`${EXAMPLE}: nobody is invited where a human says no, and the model hears of it`, async ({
	chat,
	service,
}) => {
	const { model, press } = await chat([lookUp, invite(), reply('I have invited nobody.')]);
	const ended = await press('Do Not Invite');
	expect(ended.status).toBe('success');
	expect(service.requests).toEqual([]);
	expect(heard(model, 2)).toMatch(/rejected|denied|not approved|declined/i);
});

test(`${EXAMPLE}: the tools explain themselves and their fields`, async ({ chat }) => {
	const { model } = await chat([reply('What for?')]);
	const tools = model.requests[0]?.tools ?? [];
	const byName = Object.fromEntries(tools.map(({ function: tool }) => [tool.name, tool]));
	expect(Object.keys(byName).sort()).toEqual([
		'Invite_A_Candidate',
		'Look_Up_Applications',
		'Write_The_Invitation',
	]);
	const { description, parameters } = byName.Invite_A_Candidate;
	expect(description).toMatch(/^Invites one applicant to the assessment of our job\./);
	const fields = parameters.properties.toolParameters.properties ?? {};
	expect(Object.keys(fields)).toEqual(Object.keys(CANDIDATE));
	for (const [field, { type, description: words }] of Object.entries(fields)) {
		expect(type, field).toBe('string');
		expect(words, `description of ${field}`).toBeTruthy();
	}
});
