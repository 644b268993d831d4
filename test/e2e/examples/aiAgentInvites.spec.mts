import { reply, startChatModel, toolCall } from '../support/chatModel.mts';
import { sayInChat } from '../support/chatWindow.mts';
import { JOB, OTHER_JOB } from '../../support/example.mts';
import { expect, invitationOf, PERSON, test } from '../support/exampleFixtures.mts';

const EXAMPLE = 'ai-agent-invites';
const LAST_WORDS = 'That is all.';
/** Values that the model writes into the application's row, whatever else it has seen. */
const WRITTEN = {
	invitation_link: 'https://assessment.example.com/invitations/inv-7Kq2mX9d',
	open_until: '2026-12-15T22:59:59.000Z',
};

const applicant = (id: string) => {
	const application_id = `APP-${id}`;
	return { ...PERSON, application_id, email: `${id}@people.example`, job_id: JOB };
};

/** The model wants to invite somebody and to write down the link. */
const wants = (id: string) => {
	const toolParameters = applicant(id);
	const { application_id: ext_reference_id, email, job_id } = toolParameters;
	const row = { ext_reference_id, job_id, email: email.toUpperCase(), ...WRITTEN };
	return [
		toolCall('Look_Up_Applications', { last_name: PERSON.last_name }),
		toolCall('Invite_A_Candidate', { toolParameters, hitlParameters: {} }),
		toolCall('Write_The_Invitation', row),
		reply(LAST_WORDS),
	];
};

test(`${EXAMPLE}: nobody is invited before a human approves; then the agent has the link, and the chat its answer, even if the table is gone`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
}) => {
	const model = await startChatModel(client, [...wants('yes'), ...wants('gone')]);
	const { id } = await importExample(EXAMPLE, { model });
	const yes = applicant('yes');
	const others = [{ job_id: OTHER_JOB }, { email: 'jo@people.example' }, { application_id: 'X' }];
	await applications.add([yes, ...others.map((other) => ({ ...yes, ...other }))]);

	/** The tool's last answer before the model was asked for the n-th time, from 0. */
	const heard = (asked: number) =>
		model.requests[asked]?.messages.filter(({ role }) => role === 'tool').at(-1)?.content ?? '';
	/** Has the model ask for approval, and gives it. */
	const invite = async (who: string, meanwhile?: () => Promise<unknown>) => {
		const invited = service.invitations.length;
		const window = await sayInChat(client, id, 'Invite Maya Okafor');
		await expect.poll(() => window.question, { timeout: 60_000 }).toBeTruthy();
		const { application_id, email } = applicant(who);
		const question = `May I invite Maya Okafor (${email}, ${application_id}) for the job ${JOB}?`;
		expect([window.shown, service.invitations.length]).toEqual([[question], invited]);
		const buttons = window.question!.buttons;
		expect(buttons.map(({ text }) => text).sort()).toEqual(['Do Not Invite', 'Invite']);
		await meanwhile?.();
		const { link } = buttons.find(({ text }) => text === 'Invite')!;
		// n8n rejects bots.
		await fetch(link, { headers: { 'user-agent': 'Mozilla/5.0 Chrome/140.0' } });
		expect((await client.waitForExecution(window.executionId)).status).toBe('success');
		expect(window.shown).toEqual([question, LAST_WORDS]);
		window.close();
	};

	await invite('yes');
	expect(heard(1)).toContain(yes.email);
	expect(heard(2)).toContain(invitationOf(service, yes.application_id).invitation_link);
	const [row, ...rest] = await applications.all();
	expect(row).toMatchObject({ ...yes, ...WRITTEN, status: 'invited' });
	expect(rest.map(({ invitation_link }) => invitation_link)).toEqual([null, null, null]);

	await invite('gone', applications.remove);
	expect(heard(6)).toContain(invitationOf(service, 'APP-gone').invitation_link);
	expect(heard(7)).toMatch(/table/i);
	await model.close();
});
