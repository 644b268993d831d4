import type { Execution } from '../../../tools/n8n/client.mts';
import { reply, startChatModel, toolCall, type ChatModel } from '../support/chatModel.mts';
import { JOB, OTHER_JOB } from '../../support/example.mts';
import { sayInChat, type ChatWindow } from '../support/chatWindow.mts';
import { expect, invitationOf, test as base } from '../support/exampleFixtures.mts';

const EXAMPLE = 'ai-agent-invites';
const CANDIDATE = {
	application_id: 'APP-2026-0815',
	email: 'maya.okafor@people.example',
	first_name: 'Maya',
	last_name: 'Okafor',
	job_id: JOB,
};
const LAST_WORDS = 'That is all.';

const lookUp = toolCall('Look_Up_Applications', { last_name: CANDIDATE.last_name });
const invite = toolCall('Invite_A_Candidate', { toolParameters: CANDIDATE, hitlParameters: {} });

/** A chat in which the model wants to invite our candidate, up to the question of approval. */
interface Chat {
	model: ChatModel;
	window: ChatWindow;
	/** Presses a button of the question, and waits for the end. */
	press: (button: string) => Promise<Execution>;
}

/** Values that the model writes into the application's row, whatever else it has seen. */
const WRITTEN = {
	invitation_link: 'https://assessment.example.com/invitations/inv-7Kq2mX9d',
	open_until: '2026-12-15T22:59:59.000Z',
};
const write = toolCall('Write_The_Invitation', {
	ext_reference_id: CANDIDATE.application_id,
	job_id: JOB,
	email: 'Maya.Okafor@people.example',
	...WRITTEN,
});

const test = base.extend<{ chat: Chat }>({
	chat: async ({ n8n: { client }, applications, importExample }, use) => {
		const model = await startChatModel(client, [lookUp, invite, write, reply(LAST_WORDS)]);
		const credentials = { 'OpenAI Chat Model': model.credential };
		const { id } = await importExample(EXAMPLE, { credentials });
		await applications.add([
			{ ...CANDIDATE, application_id: 'APP-2026-0816', first_name: 'Amir' },
			CANDIDATE,
			{ ...CANDIDATE, job_id: OTHER_JOB },
			{ ...CANDIDATE, email: 'jo.okafor@people.example' },
		]);
		const window = await sayInChat(client, id, 'Invite Maya Okafor');
		await expect.poll(() => window.question, { timeout: 60_000 }).toBeTruthy();
		const press = async (button: string) => {
			const link = window.question?.buttons.find(({ text }) => text === button)?.link;
			if (!link) throw new Error(`The chat shows no button "${button}"`);
			// n8n rejects bots.
			await fetch(link, { headers: { 'user-agent': 'Mozilla/5.0 Chrome/140.0' } });
			return await client.waitForExecution(window.executionId);
		};
		await use({ model, window, press });
		window.close();
		await model.close();
	},
});

/** The tool's last answer before the model was asked for the n-th time, from 0. */
const heard = ({ requests }: ChatModel, asked: number) =>
	requests[asked]?.messages.filter(({ role }) => role === 'tool').at(-1)?.content ?? '';

test(`${EXAMPLE}: nobody is invited before a human approves; then the agent has the link`, async ({
	chat: { model, window, press },
	service,
	applications,
}) => {
	const question =
		'May I invite Maya Okafor (maya.okafor@people.example, APP-2026-0815)' + ` for the job ${JOB}?`;
	expect(window.shown).toEqual([question]);
	expect(heard(model, 1)).toContain(CANDIDATE.email);
	expect(service.invitations).toEqual([]);

	expect((await press('Invite')).status).toBe('success');
	const { invitation_link } = invitationOf(service, CANDIDATE.application_id);
	expect(heard(model, 2)).toContain(invitation_link);
	expect(window.shown).toEqual([question, LAST_WORDS]);
	const rows = await applications.all();
	expect(rows.map((row) => row.invitation_link)).toEqual([
		...[null, WRITTEN.invitation_link, null, null],
	]);
	expect(rows[1]).toMatchObject({ ...CANDIDATE, ...WRITTEN, status: 'invited' });
});

test(`${EXAMPLE}: if the table is gone by then, the model hears it, and the chat has its answer all the same`, async ({
	chat: { model, window, press },
	service,
	applications,
}) => {
	await applications.remove();
	expect((await press('Invite')).status).toBe('success');
	const { invitation_link } = invitationOf(service, CANDIDATE.application_id);
	expect(heard(model, 2)).toContain(invitation_link);
	expect(heard(model, 3)).toMatch(/table/i);
	expect(window.shown.at(-1)).toBe(LAST_WORDS);
});

test(`${EXAMPLE}: nobody is invited where a human says no, and the model hears of it`, async ({
	chat: { model, press },
	service,
}) => {
	expect((await press('Do Not Invite')).status).toBe('success');
	expect(service.requests).toEqual([]);
	expect(heard(model, 2)).toMatch(/rejected|denied|not approved|declined/i);
});
