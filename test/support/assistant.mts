import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import type { N8nClient } from '../../tools/n8n/client.mts';

/** What builds workflows through n8n's own MCP server, as any MCP client does, but without a model. */
export class Assistant {
	readonly #mcp = new Client({ name: 'tests', version: '1.0.0' });

	/** Switches n8n's MCP server on. */
	static async connect(n8n: N8nClient): Promise<Assistant> {
		await n8n.request('PATCH', '/rest/mcp/settings', { mcpAccessEnabled: true });
		const { apiKey } = await n8n.request<{ apiKey: string }>('POST', '/rest/mcp/api-key/rotate');
		const headers = { authorization: `Bearer ${apiKey}` };
		const url = new URL('/mcp-server/http', n8n.baseUrl);
		const assistant = new Assistant();
		await assistant.#mcp.connect(
			new StreamableHTTPClientTransport(url, { requestInit: { headers } }),
		);
		return assistant;
	}

	async close(): Promise<void> {
		await this.#mcp.close();
	}

	async call<T>(name: string, args: Record<string, unknown> = {}): Promise<T> {
		const { isError, content, structuredContent } = await this.#mcp.callTool({
			name,
			arguments: args,
		});
		if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
		return structuredContent as T;
	}

	/** What n8n finds, in its own words. */
	async search(phrase: string): Promise<string> {
		return (await this.call<{ results: string }>('search_nodes', { queries: [phrase] })).results;
	}

	/** The types of a node, with all that n8n tells about it. */
	async typesOf(nodeId: string): Promise<string> {
		const args = { nodeIds: [{ nodeId }] };
		return (await this.call<{ definitions: string }>('get_node_types', args)).definitions;
	}

	/** Creates a workflow from code that n8n finds valid, and returns its ID. */
	async create(code: string): Promise<string> {
		const validation = await this.call<{ valid: boolean }>('validate_workflow', { code });
		if (!validation.valid) throw new Error(JSON.stringify(validation));
		return (await this.call<{ workflowId: string }>('create_workflow_from_code', { code }))
			.workflowId;
	}

	/** Starts a workflow that is started by hand, and returns the execution's ID. */
	async run(workflowId: string): Promise<string> {
		const args = { workflowId, executionMode: 'manual' };
		return (await this.call<{ executionId: string }>('execute_workflow', args)).executionId;
	}
}
