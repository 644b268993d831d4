import { randomUUID } from 'node:crypto';

import { reply, startChatModel, toolCall } from '../support/chatModel.mts';
import { expect, invitationOf, rowOf, test } from '../support/exampleFixtures.mts';

test('ai-agent-invites: nobody is invited before a human approves; then the link is in the row', async ({
	n8n: { client },
	service,
	applications,
	importExample,
}) => {
	const maya = rowOf('APP-1');
	const link = 'https://assessment.example.com/invitations/inv-7Kq2mX9d';
	const written = {
		email: 'APP-1@People.example',
		invitation_link: link,
		open_until: '2026-12-15T22:59:59.000Z',
	};
	const model = await startChatModel(client, [
		toolCall('Look_Up_Applications', { last_name: maya.last_name }),
		toolCall('Invite_A_Candidate', { toolParameters: maya, hitlParameters: {} }),
		toolCall('Write_The_Invitation', { id: 2, ...written }),
		// A row of somebody else.
		toolCall('Write_The_Invitation', { id: 1, ...written }),
		reply('That is all.'),
	]);
	const credentials = { 'OpenAI Chat Model': model.credential };
	const { id } = await importExample('ai-agent-invites', { credentials, isDraft: true });
	await applications.add(rowOf('APP-0'), maya);

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
	const question = JSON.parse(shown[0]!) as { text: string; buttons: Array<{ link: string }> };
	expect(question.text).toBe(
		`May I invite Maya Okafor (${maya.email}, APP-1) for the job ${maya.job_id}?`,
	);
	expect(service.invitations).toEqual([]);
	// n8n rejects bots.
	await fetch(question.buttons[0]!.link, { headers: { 'user-agent': 'Mozilla/5.0 Chrome/140.0' } });
	expect((await client.waitForExecution(executionId!)).status).toBe('success');
	expect(shown.slice(1)).toEqual(['That is all.']);
	socket.close();

	const answers = model.requests[2]!.messages.filter(({ role }) => role === 'tool');
	expect(answers.at(-1)!.content).toContain(invitationOf(service, 'APP-1').invitation_link);
	const invited = {
		...maya,
		status: 'invited',
		invitation_link: link,
		open_until: written.open_until,
	};
	expect(await applications.all()).toMatchObject([
		{ status: null, invitation_link: null },
		invited,
	]);
	await model.close();
});
