import { randomUUID } from 'node:crypto';

import { withCredential } from '../../../demo/workflows/parts.mts';
import { reply, startChatModel, toolCall } from '../support/chatModel.mts';
import { expect, test } from '../support/exampleFixtures.mts';
import { linkOf, rowOf } from '../support/rows.mts';

test('an agent invites whom a human approves', async ({ n8n, service, table, example }) => {
	const { client } = n8n;
	const maya = rowOf('APP-1');
	const invited = {
		invitation_link: 'https://assessment.example.com/invitations/inv-7Kq2mX9d',
		open_until: '2026-12-15T22:59:59.000Z',
	};
	const written = { email: 'APP-1@People.example', ...invited };
	const model = await startChatModel(client, [
		toolCall('Look_Up_Applications', { last_name: maya.last_name }),
		toolCall('Invite_A_Candidate', { toolParameters: maya, hitlParameters: {} }),
		toolCall('Write_The_Invitation', { id: 2, ...written }),
		// A row of somebody else.
		toolCall('Write_The_Invitation', { id: 1, ...written }),
		reply('That is all.'),
	]);
	const { id } = await example('ai-agent-invites', {
		'OpenAI Chat Model': { credentials: withCredential(model.credential) },
	});
	await table.add(rowOf('APP-0'), maya);

	// The chat beside the canvas. n8n goes on once it is connected, and can show messages.
	const sessionId = randomUUID();
	const chat = { triggerToStartFrom: { name: 'When Chat Message Received' } };
	await client.request('POST', `/rest/workflows/${id}/run`, { ...chat, chatSessionId: sessionId });
	const response = await fetch(`${client.baseUrl}/webhook-test/${id}/${sessionId}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ action: 'sendMessage', sessionId, chatInput: 'Invite Maya Okafor' }),
	});
	const { executionId, resumeToken: token } = (await response.json()) as Record<string, string>;
	const query = { sessionId, executionId: executionId!, token: token!, isPublic: 'true' };
	const socket = new WebSocket(`${client.baseUrl}/chat?${new URLSearchParams(query)}`);
	const shown: string[] = [];
	socket.addEventListener('message', ({ data }) => {
		if (data === 'n8n|heartbeat') socket.send('n8n|heartbeat-ack');
		if (!data.startsWith('n8n|')) shown.push(data);
	});
	await expect.poll(() => shown, { timeout: 60_000 }).toHaveLength(1);
	const { text, buttons } = JSON.parse(shown[0]!);
	expect(text).toBe(`May I invite Maya Okafor (${maya.email}, APP-1) for the job ${maya.job_id}?`);
	expect(service.invitations).toEqual([]);
	// n8n rejects bots.
	await fetch(buttons[0].link, { headers: { 'user-agent': 'Mozilla/5.0 Chrome/140.0' } });
	expect((await client.waitForExecution(executionId!)).status).toBe('success');
	expect(shown.slice(1)).toEqual(['That is all.']);
	socket.close();

	const answers = model.requests[2]!.messages.filter(({ role }) => role === 'tool');
	expect(answers.at(-1)!.content).toContain(linkOf(service, 'APP-1').invitation_link);
	const untouched = { status: null, invitation_link: null };
	expect(await table.all()).toMatchObject([untouched, { ...maya, status: 'invited', ...invited }]);
	await model.close();
});
