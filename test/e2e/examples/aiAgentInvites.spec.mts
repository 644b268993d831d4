import { randomUUID } from 'node:crypto';

import { reply, startChatModel, toolCall } from '../support/chatModel.mts';
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

	// The chat beside the canvas. n8n goes on once it is connected, and can show messages.
	const chatSessionId = randomUUID();
	const chat = { triggerToStartFrom: { name: 'When Chat Message Received' }, chatSessionId };
	await client.request('POST', `/rest/workflows/${id}/run`, chat);
	const said = { action: 'sendMessage', sessionId: chatSessionId, chatInput: 'Invite Maya Okafor' };
	const response = await fetch(`${client.baseUrl}/webhook-test/${id}/${chatSessionId}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(said),
	});
	const { executionId, resumeToken: token } = (await response.json()) as Record<string, string>;
	const query = { sessionId: chatSessionId, executionId, token, isPublic: 'true' };
	const socket = new WebSocket(`${client.baseUrl}/chat?${new URLSearchParams(query)}`);
	const shown: string[] = [];
	socket.addEventListener('message', ({ data }) => {
		if (data === 'n8n|heartbeat') socket.send('n8n|heartbeat-ack');
		if (!data.startsWith('n8n|')) shown.push(data);
	});

	await expect.poll(() => shown, { timeout: 60_000 }).toHaveLength(1);
	const text = `May I invite Maya Okafor (${email}, APP-1) for the job ${JOB}?`;
	const question = JSON.parse(shown[0]) as { buttons: Array<{ text: string; link: string }> };
	expect(question).toMatchObject({
		text,
		buttons: [{ text: 'Invite' }, { text: 'Do Not Invite' }],
	});
	expect(service.invitations).toEqual([]);
	// n8n rejects bots.
	const headers = { 'user-agent': 'Mozilla/5.0 Chrome/140.0' };
	await fetch(question.buttons[0].link, { headers });
	expect((await client.waitForExecution(executionId)).status).toBe('success');
	expect(shown.slice(1)).toEqual([LAST_WORDS]);
	socket.close();

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
