import { randomUUID } from 'node:crypto';

import type { N8nClient } from '../../../tools/n8n/client.mts';

/** The node that starts a chat. */
const CHAT = 'When Chat Message Received';

/** A question to the user, with a link behind each button. */
interface Question {
	text: string;
	buttons: Array<{ text: string; link: string }>;
}

/**
 * Writes a message to a workflow in the chat beside the canvas. n8n continues once the chat is connected and can
 * show messages.
 */
export async function sayInChat(client: N8nClient, id: string, chatInput: string) {
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
	const { executionId, resumeToken: token } = (await response.json()) as Record<string, string>;
	const query = new URLSearchParams({ sessionId, executionId, token, isPublic: 'true' });
	const socket = new WebSocket(`${client.baseUrl.replace(/^http/, 'ws')}/chat?${query}`);
	const shown: string[] = [];
	let question: Question | undefined;
	socket.addEventListener('message', ({ data }) => {
		const said = String(data);
		if (said === 'n8n|heartbeat') socket.send('n8n|heartbeat-ack');
		if (said.startsWith('n8n|')) return undefined;
		if (!said.startsWith('{')) return shown.push(said);
		question = JSON.parse(said) as Question;
		return shown.push(question.text);
	});
	return {
		executionId,
		shown,
		get question() {
			return question;
		},
		close: () => socket.close(),
	};
}
