import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import type { N8nClient } from '../../../tools/n8n/client.mts';

export type Assistant = Awaited<ReturnType<typeof connectAssistant>>;

/** Enables n8n's MCP server, and builds workflows through it as any MCP client does, but without a model. */
export async function connectAssistant(n8n: N8nClient) {
	await n8n.request('PATCH', '/rest/mcp/settings', { mcpAccessEnabled: true });
	const { apiKey } = await n8n.request<{ apiKey: string }>('POST', '/rest/mcp/api-key/rotate');
	const headers = { authorization: `Bearer ${apiKey}` };
	const url = new URL('/mcp-server/http', n8n.baseUrl);
	const mcp = new Client({ name: 'tests', version: '1.0.0' });
	await mcp.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));

	const call = async <T,>(name: string, args: Record<string, unknown> = {}) => {
		const { isError, content, structuredContent } = await mcp.callTool({ name, arguments: args });
		if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
		return structuredContent as T;
	};
	return {
		call,
		close: async () => await mcp.close(),
		/** n8n's search result, as text. */
		search: async (phrase: string) =>
			(await call<{ results: string }>('search_nodes', { queries: [phrase] })).results,
		/** The types of a node, with everything that n8n tells about it. */
		typesOf: async (nodeId: string) => {
			const args = { nodeIds: [{ nodeId }] };
			return (await call<{ definitions: string }>('get_node_types', args)).definitions;
		},
		/** Creates a workflow from code that n8n finds valid, and returns its ID. */
		create: async (code: string) => {
			const validation = await call<{ valid: boolean }>('validate_workflow', { code });
			if (!validation.valid) throw new Error(JSON.stringify(validation));
			return (await call<{ workflowId: string }>('create_workflow_from_code', { code })).workflowId;
		},
		/** Starts a workflow by hand, and returns the execution's ID. */
		run: async (workflowId: string) => {
			const args = { workflowId, executionMode: 'manual' };
			return (await call<{ executionId: string }>('execute_workflow', args)).executionId;
		},
	};
}
