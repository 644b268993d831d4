import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { itemsOf } from '../../../tools/n8n/client.mts';
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

const test = base.extend<
	{
		/** Creates a workflow from code that n8n finds valid, with our credential and job. @returns its ID */
		build: (...code: string[]) => Promise<string>;
		/** The types of a node, with everything that n8n tells about it. */
		typesOf: (nodeId: string) => Promise<string>;
		/** The example with that title in a node's types. */
		exampleOf: (type: string, title: string) => Promise<string>;
	},
	{
		/** Calls a tool of n8n's MCP server, as any MCP client does, but without a model. */
		assistant: <T>(name: string, args?: Record<string, unknown>) => Promise<T>;
	}
>({
	assistant: [
		async ({ n8n: { client } }, use) => {
			await client.request('PATCH', '/rest/mcp/settings', { mcpAccessEnabled: true });
			const { apiKey } = await client.request<{ apiKey: string }>(
				'POST',
				'/rest/mcp/api-key/rotate',
			);
			const requestInit = { headers: { authorization: `Bearer ${apiKey}` } };
			const url = new URL('/mcp-server/http', client.baseUrl);
			const mcp = new Client({ name: 'tests', version: '1.0.0' });
			await mcp.connect(new StreamableHTTPClientTransport(url, { requestInit }));
			await use(async <T,>(name: string, args = {}) => {
				const answer = await mcp.callTool({ name, arguments: args });
				if (answer.isError) throw new Error(`${name}: ${JSON.stringify(answer.content)}`);
				return answer.structuredContent as T;
			});
			await mcp.close();
		},
		{ scope: 'worker' },
	],
	build: async ({ assistant, credential: { id, name } }, use) =>
		await use(async (...parts) => {
			const code = parts
				.join('\n')
				.replaceAll("'Candidate Assessment API'", `'${name}', '${id}'`)
				.replace(/placeholder\('Job ID.+?'\)/, `'${JOB}'`);
			expect(await assistant('validate_workflow', { code })).toMatchObject({ valid: true });
			const made = await assistant<{ workflowId: string }>('create_workflow_from_code', { code });
			return made.workflowId;
		}),
	typesOf: async ({ assistant }, use) =>
		await use(async (nodeId) => {
			const args = { nodeIds: [{ nodeId }] };
			return (await assistant<{ definitions: string }>('get_node_types', args)).definitions;
		}),
	exampleOf: async ({ typesOf }, use) =>
		await use(async (type, title) => {
			const types = (await typesOf(type)).replace(/^ *\* ?/gm, '');
			const example = new RegExp(`(?<=<pattern title="${title}.*>\\n)[^]+?(?=</pattern>)`);
			expect(types).toMatch(example);
			return example.exec(types)![0];
		}),
});

test('a search and the types tell all that would go wrong otherwise', async ({
	assistant,
	typesOf,
}) => {
	const queries = ['candidate assessment'];
	const found = await assistant<{ results: string }>('search_nodes', { queries });
	for (const { searchHint } of [actionBuilderHint, toolBuilderHint, triggerBuilderHint])
		expect(found.results).toContain(`@builderHint ${searchHint}\n`);
	const action = await typesOf(ACTION);
	const types = action + (await typesOf(TRIGGER));
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
	build,
	exampleOf,
	n8n: { client },
	service,
}) => {
	const invite = await exampleOf(ACTION, 'Invite a list');
	const [checkOnly] = /options: \{ checkOnly: .+? \} (?=on this same node)/.exec(invite)!;
	const ends = ['storeLink', 'sendLink', 'handleAlreadyInvited', 'handleFailed'];
	const id = await build(
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
	build,
	exampleOf,
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
	const workflowId = await build(
		BY_HAND,
		`const model = languageModel({ type: '@n8n/n8n-nodes-langchain.lmChatOpenAi', version: 1.3, config: { name: 'model',
			parameters: { responsesApiEnabled: false }, credentials: { openAiApi: newCredential('${name}', '${id}') } } });`,
		await exampleOf(`${ACTION}Tool`, 'Invite and Get'),
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

test('an agent of its own, whose tool is a workflow that invites, invites once, and its model hears that', async ({
	assistant,
	build,
	n8n: { client },
	service,
}) => {
	const candidate = { ref: 'APP-1', email: 'maya@example.com', first: 'Maya', last: 'Okafor' };
	const values = Object.keys(candidate).map((name) => ({ name }));
	const names = ['extReferenceId', 'email', 'firstName', 'lastName'];
	const fields = values.map(({ name }, index) => [names[index], `={{ $json.${name} }}`]);
	const invitation = { resource: 'candidate', operation: 'invite', jobId: JOB };
	const said = { id: '1', name: 'message', type: 'string', value: 'Was already invited.' };
	await build(
		node('asked', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { workflowInputs: { values } }),
		node('invite', ACTION, 1, { ...invitation, ...Object.fromEntries(fields) }, CREDENTIALS),
		node('known', 'n8n-nodes-base.set', 3.4, { assignments: { assignments: [said] } }),
		"export default workflow('id', 'Invite One').add(asked).to(invite).add(invite.output(1).to(known));",
	);
	const answers = [1, 2].flatMap(() => [toolCall('invite', candidate), reply('Done.')]);
	const model = await startChatModel(client, answers);
	const { data } = await assistant<{ data: Array<{ id: string }> }>('search_projects');
	const { agent } = await assistant<{ agent: { id: string } }>('create_agent', {
		projectId: data[0].id,
		name: 'Recruiter',
		config: {
			...{ model: 'openai/mock', credential: model.credential.id, instructions: 'Invite.' },
			tools: [{ type: 'workflow', name: 'invite', workflow: 'Invite One' }],
		},
	});
	const request = { type: 'message', message: 'Invite Maya Okafor' };
	for (const _ of [1, 2]) await assistant('call_agent', { agentId: agent.id, request });
	await model.close();
	const heard = model.requests.map(({ messages }) => messages.at(-1)!);
	expect(heard.flatMap(({ role, content }) => (role === 'tool' ? String(content) : []))).toEqual([
		expect.stringContaining(service.invitations[0].invitation_link),
		expect.stringContaining(said.value),
	]);
	expect(service.invitations).toHaveLength(1);
});

test('results come, with their scores', async ({
	assistant,
	build,
	exampleOf,
	n8n: { client },
	service,
}) => {
	const results = await build(
		node('ready', TRIGGER, 1.1, { webhookId: service.webhookId }, CREDENTIALS),
		await exampleOf(ACTION, 'Get a result'),
		"export default workflow('id', 'Results').add(ready).to(getResult);",
	);
	await assistant('publish_workflow', { workflowId: results });
	await expect.poll(() => service.webhooks[0].status).toBe('active');
	await service.finish((await inviteAt(service)).invitation_code);
	const [{ id }] = await client.waitForExecutions(results, 1);
	const [{ json }] = itemsOf(await client.getExecution(id), 'Get Result');
	expect(json).toMatchObject({ status: 'completed', last_name: 'Okafor' });
	expect(json.scores.role_fit).toBeGreaterThan(0);
	await client.unpublish(results);
});
