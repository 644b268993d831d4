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

const APPLICANT = { ...PERSON, application_id: 'APP-1', job_id: JOB };
const { application_id: ext_reference_id, job_id, email } = APPLICANT;

/** The model wants to invite somebody and to write down the link. */
const ANSWERS = [
	toolCall('Look_Up_Applications', { last_name: PERSON.last_name }),
	toolCall('Invite_A_Candidate', { toolParameters: APPLICANT, hitlParameters: {} }),
	toolCall('Write_The_Invitation', {
		...{ ext_reference_id, job_id, email: email.toUpperCase(), ...WRITTEN },
	}),
	reply(LAST_WORDS),
];

test(`${EXAMPLE}: nobody is invited before a human approves; then the agent has the link, and the chat its answer`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
}) => {
	const model = await startChatModel(client, ANSWERS);
	const { id } = await importExample(EXAMPLE, { model });
	const others = [{ job_id: OTHER_JOB }, { email: 'jo@people.example' }, { application_id: 'X' }];
	await applications.add([APPLICANT, ...others.map((other) => ({ ...APPLICANT, ...other }))]);

	const window = await sayInChat(client, id, 'Invite Maya Okafor');
	await expect.poll(() => window.question, { timeout: 60_000 }).toBeTruthy();
	const question = `May I invite Maya Okafor (${email}, APP-1) for the job ${JOB}?`;
	expect([window.shown, service.invitations]).toEqual([[question], []]);
	const { buttons } = window.question!;
	expect(buttons.map(({ text }) => text).sort()).toEqual(['Do Not Invite', 'Invite']);
	const { link } = buttons.find(({ text }) => text === 'Invite')!;
	// n8n rejects bots.
	await fetch(link, { headers: { 'user-agent': 'Mozilla/5.0 Chrome/140.0' } });
	expect((await client.waitForExecution(window.executionId)).status).toBe('success');
	expect(window.shown).toEqual([question, LAST_WORDS]);
	window.close();

	/** The tool's last answer before the model was asked for the n-th time, from 0. */
	const heard = (asked: number) =>
		model.requests[asked]?.messages.filter(({ role }) => role === 'tool').at(-1)?.content;
	expect(heard(1)).toContain(email);
	expect(heard(2)).toContain(invitationOf(service, 'APP-1').invitation_link);
	const [row, ...rest] = await applications.all();
	expect(row).toMatchObject({ ...APPLICANT, ...WRITTEN, status: 'invited' });
	expect(rest.map(({ invitation_link }) => invitation_link)).toEqual([null, null, null]);
	await model.close();
});
