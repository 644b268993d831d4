import { randomUUID } from 'node:crypto';

import type { N8nClient } from '../../tools/n8n/client.mts';

/** The node that a chat begins with. */
const CHAT = 'When Chat Message Received';

/** The chat beside the canvas, which n8n goes on with once it is there to show what a node says. */
export class ChatWindow {
	readonly executionId: string;
	readonly shown: string[] = [];
	/** What it asks for, with a link behind each button. */
	question?: { text: string; buttons: Array<{ text: string; link: string }> };
	readonly #socket: WebSocket;

	private constructor(executionId: string, socket: WebSocket) {
		this.executionId = executionId;
		this.#socket = socket;
		socket.addEventListener('message', ({ data }) => this.#receive(String(data)));
	}

	/** Writes a message to the workflow. */
	static async say(client: N8nClient, id: string, chatInput: string): Promise<ChatWindow> {
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
		const { executionId, resumeToken } = (await response.json()) as Record<string, string>;
		const query = new URLSearchParams({
			sessionId,
			executionId,
			token: resumeToken,
			isPublic: 'true',
		});
		const address = `${client.baseUrl.replace(/^http/, 'ws')}/chat?${query}`;
		return new ChatWindow(executionId, new WebSocket(address));
	}

	#receive(data: string): void {
		if (data === 'n8n|heartbeat') return this.#socket.send('n8n|heartbeat-ack');
		if (data.startsWith('n8n|')) return;
		if (!data.startsWith('{')) {
			this.shown.push(data);
			return;
		}
		this.question = JSON.parse(data) as NonNullable<ChatWindow['question']>;
		this.shown.push(this.question.text);
	}

	close(): void {
		this.#socket.close();
	}
}
