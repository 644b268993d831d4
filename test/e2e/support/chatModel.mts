import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';

import Fastify from 'fastify';

import type { Credential, N8nClient } from '../../../tools/n8n/client.mts';

/** A chat message in OpenAI's API. */
export interface ChatMessage {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: string | null;
	tool_calls?: Array<{
		id: string;
		type: 'function';
		function: { name: string; arguments: string };
	}>;
}

/** A request to a model: the chat so far. */
interface ChatRequest {
	messages: ChatMessage[];
	/** Whether to stream the reply. */
	stream?: boolean;
}

export type ChatModel = Awaited<ReturnType<typeof startChatModel>>;

/** A model's message that calls a tool. */
export function toolCall(name: string, args: Record<string, unknown>): ChatMessage {
	const called = { name, arguments: JSON.stringify(args) };
	const id = `call_${randomUUID()}`;
	return { ...reply(null), tool_calls: [{ id, type: 'function', function: called }] };
}

/** A model's message that calls several tools in one turn. */
export function toolCalls(...calls: ChatMessage[]): ChatMessage {
	return { ...reply(null), tool_calls: calls.flatMap(({ tool_calls }) => tool_calls ?? []) };
}

/** A model's message to the user. */
export function reply(content: string | null): ChatMessage {
	return { role: 'assistant', content };
}

/** Without a URL, the credential is only for nodes that don't run. */
export async function createModelCredential(client: N8nClient, url = ''): Promise<Credential> {
	return await client.createCredential({
		name: 'Mock model',
		type: 'openAiApi',
		data: { apiKey: 'none', url, organizationId: '', header: false },
	});
}

/**
 * Starts a model with these answers, one after another, behind the part of OpenAI's API that a chat needs, and
 * creates a credential for it.
 */
export async function startChatModel(client: N8nClient, answers: readonly ChatMessage[]) {
	/** The requests, oldest first. */
	const requests: ChatRequest[] = [];
	const app = Fastify({ forceCloseConnections: true });
	app.post<{ Body: ChatRequest }>('/v1/chat/completions', async ({ body }, response) => {
		const message = answers[requests.push(body) - 1];
		if (!message) return await response.code(400).send({ error: { message: 'Out of answers' } });
		const chat = { id: `chat-${requests.length}`, created: 0, model: 'mock' };
		const choice = { index: 0, finish_reason: message.tool_calls ? 'tool_calls' : 'stop' };
		if (body.stream) {
			const tool_calls = message.tool_calls?.map((called, index) => ({ index, ...called }));
			const choices = [{ ...choice, delta: { ...message, tool_calls } }];
			const part = JSON.stringify({ ...chat, object: 'chat.completion.chunk', choices });
			return await response.type('text/event-stream').send(`data: ${part}\n\ndata: [DONE]\n\n`);
		}
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		return { ...chat, object: 'chat.completion', choices: [{ ...choice, message }], usage };
	});
	await app.listen({ host: '127.0.0.1', port: 0 });
	const { port } = app.server.address() as AddressInfo;
	const credential = await createModelCredential(client, `http://127.0.0.1:${port}/v1`);
	return { credential, requests, close: () => app.close() };
}
