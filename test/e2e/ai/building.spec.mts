import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { itemsOf, type Credential, type N8nClient } from '../../../tools/n8n/client.mts';
import { ACTION, TRIGGER } from '../../../demo/workflows/parts.mts';
import {
	actionBuilderHint,
	propertyHints,
	toolBuilderHint,
	triggerBuilderHint,
} from '../../../nodes/CandidateAssessment/builderHints.ts';
import { JOB } from '../../support/example.mts';
import { invitationOf, inviteAt } from '../../support/invite.mts';
import { reply, startChatModel, toolCall } from '../support/chatModel.mts';
import { expect, test as base } from '../support/fixtures.mts';

// Workflows by an assistant that only knows what n8n tells it about our nodes.

/** Calls n8n's MCP server as any MCP client does, but without a model. */
async function connectAssistant(client: N8nClient, { id, name }: Credential) {
	await client.request('PATCH', '/rest/mcp/settings', { mcpAccessEnabled: true });
	const path = '/rest/mcp/api-key/rotate';
	const { apiKey } = await client.request<{ apiKey: string }>('POST', path);
	const requestInit = { headers: { authorization: `Bearer ${apiKey}` } };
	const url = new URL('/mcp-server/http', client.baseUrl);
	const mcp = new Client({ name: 'tests', version: '1.0.0' });
	await mcp.connect(new StreamableHTTPClientTransport(url, { requestInit }));

	const call = async <T,>(tool: string, args: Record<string, unknown> = {}) => {
		const answer = await mcp.callTool({ name: tool, arguments: args });
		if (answer.isError) throw new Error(`${tool}: ${JSON.stringify(answer.content)}`);
		return answer.structuredContent as T;
	};
	/** The types of a node, with everything that n8n tells about it. */
	const typesOf = async (nodeId: string) => {
		const args = { nodeIds: [{ nodeId }] };
		return (await call<{ definitions: string }>('get_node_types', args)).definitions;
	};
	return {
		call,
		typesOf,
		/** The example with that title in a node's types. */
		exampleOf: async (nodeId: string, title: string) => {
			const types = (await typesOf(nodeId)).replace(/^ *\* ?/gm, '');
			const example = new RegExp(`(?<=<pattern title="${title}.*>\\n)[^]+?(?=</pattern>)`);
			expect(types).toMatch(example);
			return example.exec(types)![0];
		},
		/** Creates a workflow from code that n8n finds valid, with our credential and job. @returns its ID */
		build: async (...parts: string[]) => {
			const code = parts
				.join('\n')
				.replaceAll("'Candidate Assessment API'", `'${name}', '${id}'`)
				.replace(/placeholder\('Job ID.+?'\)/, `'${JOB}'`);
			expect(await call('validate_workflow', { code })).toMatchObject({ valid: true });
			return (await call<{ workflowId: string }>('create_workflow_from_code', { code })).workflowId;
		},
		close: async () => await mcp.close(),
	};
}

const test = base.extend<{ assistant: Awaited<ReturnType<typeof connectAssistant>> }>({
	assistant: async ({ n8n: { client }, credential }, use) => {
		const assistant = await connectAssistant(client, credential);
		await use(assistant);
		await assistant.close();
	},
});

test('a search and the types tell all that would go wrong otherwise', async ({ assistant }) => {
	const queries = ['candidate assessment'];
	const found = await assistant.call<{ results: string }>('search_nodes', { queries });
	for (const { searchHint } of [actionBuilderHint, toolBuilderHint, triggerBuilderHint])
		expect(found.results).toContain(`@builderHint ${searchHint}\n`);
	const action = await assistant.typesOf(ACTION);
	const types = action + (await assistant.typesOf(TRIGGER));
	const times = (hint: string) => types.split(`@builderHint ${hint}\n`).length - 1;
	const { id, list, ...hints } = propertyHints;
	expect(times(id), 'one job ID, and four webhook IDs').toBe(5);
	const lists = [list('skill', 'skillsJson'), list('workExperience', 'workExperiencesJson')];
	for (const hint of [...Object.values(hints), ...lists]) expect(times(hint), hint).toBe(1);
	expect(types).toMatch(/@maxItems 15\n[^]+@maxItems 10\n/);
	expect(Buffer.byteLength(action), 'a model reads all of it').toBeLessThanOrEqual(24_000);
});

const CREDENTIALS =
	"credentials: { candidateAssessmentApi: newCredential('Candidate Assessment API') }";

/** A node that is called as in the code, with more of its config. */
const node = (name: string, type: string, version: number, parameters: object = {}, more = '') =>
	`const ${name} = ${/Trigger$/.test(type) ? 'trigger' : 'node'}({ type: '${type}', version: ${version},
		config: { name: '${name}', parameters: ${JSON.stringify(parameters)}, ${more} } });`;

const BY_HAND = node('start', 'n8n-nodes-base.manualTrigger', 1);

// Recruiters, and a colleague of theirs, asked for these workflows. The models only knew the types.

const ROWS = [
	{ id: 1, application_id: 'A', email: 'maya@example.com', first_name: 'M', last_name: 'O' },
	{ id: 2, application_id: 'B', email: 'ada@example.com', first_name: 'A', last_name: 'L' },
	{ id: 3, application_id: 'A', email: ' Maya@Example.com', first_name: 'M', last_name: 'O' },
	{ id: 4, application_id: 'C', email: '', first_name: 'E', last_name: 'V' },
];

test('a list is checked by a trigger of its own; then each row has its outcome, and a new one its link', async ({
	assistant,
	n8n: { client },
	service,
}) => {
	const invite = await assistant.exampleOf(ACTION, 'Invite a list');
	const [checkOnly] = /options: \{ checkOnly: .+? \} (?=on this same node)/.exec(invite)!;
	const ends = ['storeLink', 'sendLink', 'handleAlreadyInvited', 'handleFailed'];
	const id = await assistant.build(
		BY_HAND,
		node('check', 'n8n-nodes-base.scheduleTrigger', 1.2, {}, "name: 'Check My List'"),
		node('readList', 'n8n-nodes-base.code', 2, { jsCode: `return ${JSON.stringify(ROWS)};` }),
		...ends.map((name) => node(name, 'n8n-nodes-base.noOp', 1)),
		invite
			.replace("operation: 'invite',", `$& ${checkOnly},`)
			.replace(/(?<=handleFailed\)\));/, '.add(check).to(readList);'),
	);
	/** Where each row comes out, with the link that it has got, or its outcome. */
	const run = async (triggerName: string) => {
		const execution = await client.runToEnd(id, triggerName);
		expect(execution.status).toBe('success');
		return ends.map((end) =>
			itemsOf(execution, end).map(({ json }) => [json.id, json.invitation_link ?? json.outcome]),
		);
	};
	const failed = [[4, 'invalid']];
	expect(await run('Check My List')).toEqual([[], [], [], failed]);
	expect(service.invitations).toEqual([]);
	const first = await run('start');
	const links = ['A', 'B'].map((id) => invitationOf(service, id).invitation_link);
	const invited = links.map((link, index) => [index + 1, link]);
	expect(first).toEqual([invited, invited, [[3, undefined]], failed]);
	const known = [1, 2, 3].map((row) => [row, undefined]);
	expect(await run('start')).toEqual([[], [], known, failed]);
	expect(service.invitations).toHaveLength(2);
});

test('an agent in a workflow invites once, and looks up by link and by code', async ({
	assistant,
	n8n: { client },
	service,
}) => {
	const maya = { first_name: 'Maya', last_name: 'Okafor', email: 'maya@example.com' };
	const invite = () => toolCall('Invite_a_Candidate', { application_id: 'APP-1', ...maya });
	const { invitation_code: code, invitation_link: link } = await inviteAt(service);
	const get = (invitation: string) => toolCall('Get_a_Result', { invitation });
	const answers = [invite(), invite(), get(code), get(link), reply('Done.')];
	const model = await startChatModel(client, answers);
	const { id, name } = model.credential;
	const workflowId = await assistant.build(
		BY_HAND,
		`const model = languageModel({ type: '@n8n/n8n-nodes-langchain.lmChatOpenAi', version: 1.3, config: { name: 'model',
			parameters: { responsesApiEnabled: false }, credentials: { openAiApi: newCredential('${name}', '${id}') } } });`,
		await assistant.exampleOf(`${ACTION}Tool`, 'Invite and Get'),
		node(
			'agent',
			'@n8n/n8n-nodes-langchain.agent',
			3.1,
			{ promptType: 'define', text: 'Invite Maya' },
			'subnodes: { model, tools: [inviteTool, getTool] }',
		),
		"export default workflow('id', 'Agent').add(start).to(agent);",
	);
	await client.runToEnd(workflowId, 'start');
	await model.close();
	const heard = model.requests.slice(1).map(({ messages }) => messages.at(-1)?.content);
	expect(heard).toEqual([
		expect.stringContaining(invitationOf(service, 'APP-1').invitation_link),
		expect.stringContaining('[{"message":"APP-1: This candidate was already invited.'),
		expect.stringContaining('"status":"invited"'),
		expect.stringContaining('"status":"invited"'),
	]);
	expect(service.invitations).toHaveLength(2);
});

test('results come, with their scores', async ({ assistant, n8n: { client }, service }) => {
	const results = await assistant.build(
		node('ready', TRIGGER, 1.1, { webhookId: service.webhookId }, CREDENTIALS),
		await assistant.exampleOf(ACTION, 'Get a result'),
		"export default workflow('id', 'Results').add(ready).to(getResult);",
	);
	await client.publish(results);
	await service.finish((await inviteAt(service)).invitation_code);
	const [{ id }] = await client.waitForExecutions(results, 1);
	const [{ json }] = itemsOf(await client.getExecution(id), 'Get Result');
	expect(json).toMatchObject({ status: 'completed', last_name: 'Okafor' });
	expect(json.scores.role_fit).toBeGreaterThan(0);
	await client.unpublish(results);
});
