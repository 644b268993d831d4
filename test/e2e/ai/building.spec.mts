import type { IDataObject } from 'n8n-workflow';

import { itemsOf } from '../../../tools/n8n/client.mts';
import { ACTION, TRIGGER } from '../../../demo/workflows/parts.mts';
import {
	actionBuilderHint,
	propertyHints,
	toolBuilderHint,
	triggerBuilderHint,
} from '../../../nodes/CandidateAssessment/builderHints.ts';
import type { Assistant } from '../support/assistant.mts';
import { reply, startChatModel, toolCall } from '../support/chatModel.mts';
import { invitationOf, inviteAt } from '../../support/invite.mts';
import { expect, test } from '../support/aiFixtures.mts';

// Workflows by an assistant that only knows what n8n tells it about our nodes.

test('a search and the types tell all that would go wrong otherwise', async ({ assistant }) => {
	const found = await assistant.search('candidate assessment');
	for (const { searchHint } of [actionBuilderHint, toolBuilderHint, triggerBuilderHint]) {
		expect(found).toContain(`@builderHint ${searchHint}\n`);
	}
	const types = (await assistant.typesOf(ACTION)) + (await assistant.typesOf(TRIGGER));
	const times = (hint: string) => types.split(`@builderHint ${hint}\n`).length - 1;
	const { id, list, ...hints } = propertyHints;
	expect(times(id), 'one job ID, and four webhook IDs').toBe(5);
	const lists = [list('skill', 'skillsJson'), list('workExperience', 'workExperiencesJson')];
	for (const hint of [...Object.values(hints), ...lists]) expect(times(hint), hint).toBe(1);
	expect(types).toMatch(/@maxItems 15\n[^]+@maxItems 10\n/);
	const { length: size } = Buffer.from(await assistant.typesOf(ACTION));
	expect(size, 'a model reads all of it each time').toBeLessThanOrEqual(24_000);
});

/** The example with that title in a node's types. */
async function exampleOf(assistant: Assistant, type: string, title: string): Promise<string> {
	const types = (await assistant.typesOf(type)).replace(/^ *\* ?/gm, '');
	const [, code] = new RegExp(`<pattern title="${title}.*>\\n([^]+?)</pattern>`).exec(types) ?? [];
	if (!code) throw new Error(`There is no example "${title}" in ${types}`);
	return code;
}

const CREDENTIALS =
	"credentials: { candidateAssessmentApi: newCredential('Candidate Assessment API') }";

const node = (name: string, type: string, parameters = '{}', version = 1) =>
	`const ${name} = node({ type: '${type}', version: ${version}, config: { name: '${name}', parameters: ${parameters} } });`;

const start = (type: string, version: number, parameters = '{}') =>
	`const start = trigger({ type: '${type}', version: ${version}, config: { name: 'start', parameters: ${parameters} } });`;

const BY_HAND = start('n8n-nodes-base.manualTrigger', 1);
const UPLOAD = start(
	'n8n-nodes-base.webhook',
	2.1,
	"{ path: 'upload', httpMethod: 'POST', responseMode: 'responseNode' }",
);

// Recruiters, and a colleague of theirs, asked for these workflows. The models only knew the types.

const ROWS = [
	'1,maya@example.com,M,O',
	'2,ada@example.com,A,L',
	'1, Maya@Example.com,M,O',
	'3,,E,V',
];

test('an uploaded list comes back with the outcome of each row', async ({
	assistant,
	build,
	n8n: { baseUrl, client },
	service,
}) => {
	const invite = await exampleOf(assistant, ACTION, 'Invite a list');
	const toPage = `.add(sendLink.to(rows.input(0))).add(handleAlreadyInvited.to(rows.input(1)))
		.add(handleFailed.to(rows.input(2))).add(rows.to(page));`;
	const id = await build(
		UPLOAD,
		node('readList', 'n8n-nodes-base.extractFromFile', '{ options: { enableBOM: true } }'),
		...['storeLink', 'sendLink', 'handleAlreadyInvited', 'handleFailed'].map((name) =>
			node(name, 'n8n-nodes-base.noOp'),
		),
		"const rows = merge({ version: 3.2, config: { name: 'rows', parameters: { numberInputs: 3 } } });",
		node('page', 'n8n-nodes-base.respondToWebhook', "{ respondWith: 'allIncomingItems' }", 1.5),
		invite.replace(/(?<=handleFailed\)\));/, toPage),
	);
	await client.publish(id);
	const upload = async () => {
		const response = await fetch(`${baseUrl}/webhook/upload`, {
			method: 'POST',
			headers: { 'content-type': 'text/csv' },
			body: `\ufeffapplication_id,email,first_name,last_name\n${ROWS.join('\n')}`,
		});
		const items = JSON.parse(await response.text()) as Array<Record<string, string>>;
		return items.map((item) => [
			item.application_id,
			item.outcome ?? (item.invitation_link ? 'invited' : 'invited before'),
		]);
	};
	const known = ['1', 'invited before'];
	const invalid = ['3', 'invalid'];
	expect(await upload()).toEqual([['1', 'invited'], ['2', 'invited'], known, invalid]);
	expect(await upload()).toEqual([known, ['2', 'invited before'], known, invalid]);
	expect(service.invitations).toHaveLength(2);
});

test('a list in a table is checked by a trigger of its own; then every link is in its row', async ({
	assistant,
	build,
	n8n: { client },
	service,
}) => {
	const { data: projects } = await assistant.call<{ data: Array<{ id: string }> }>(
		'search_projects',
	);
	const columns = 'application_id,email,first_name,last_name,link'.split(',');
	const created = await assistant.call<{ id: string }>('create_data_table', {
		projectId: projects[0].id,
		name: 'Applications',
		columns: columns.map((name) => ({ name, type: 'string' })),
	});
	const table = { projectId: projects[0].id, dataTableId: created.id };
	const rows = ROWS.slice(0, 2).map((row) => {
		const cells = row.split(',').entries();
		return Object.fromEntries([...cells].map(([index, cell]) => [columns[index], cell]));
	});
	await assistant.call('add_data_table_rows', { ...table, rows });
	const links = async () => {
		const read = await assistant.call<{ rows: IDataObject[] }>('get_data_table_rows', table);
		return read.rows.map(({ link }) => link);
	};

	const invite = await exampleOf(assistant, ACTION, 'Invite a list');
	const [checkOnly] = /options: \{ checkOnly: .+? \} (?=on this same node)/.exec(invite)!;
	const ofTable = "dataTableId: { __rl: true, mode: 'name', value: 'Applications' }";
	const ofRow =
		"filters: { conditions: [{ keyName: 'id', condition: 'eq', keyValue: expr('{{ $json.id }}') }] }";
	const toLink =
		"columns: { mappingMode: 'defineBelow', value: { link: expr('{{ $json.invitation_link }}') } }";
	const id = await build(
		BY_HAND,
		"const check = trigger({ type: 'n8n-nodes-base.scheduleTrigger', version: 1.2, config: { name: 'Check My List' } });",
		node('readList', 'n8n-nodes-base.dataTable', `{ operation: 'get', ${ofTable} }`, 1.1),
		node(
			'storeLink',
			'n8n-nodes-base.dataTable',
			`{ operation: 'update', ${ofTable}, ${ofRow}, ${toLink} }`,
			1.1,
		),
		...['sendLink', 'handleAlreadyInvited', 'handleFailed'].map((name) =>
			node(name, 'n8n-nodes-base.noOp'),
		),
		invite
			.replace("operation: 'invite',", `$& ${checkOnly},`)
			.replace(/(?<=handleFailed\)\));/, '.add(check).to(readList);'),
	);
	const run = async (triggerNodeName: string) => {
		const args = { workflowId: id, executionMode: 'manual', triggerNodeName };
		const { executionId } = await assistant.call<{ executionId: string }>('execute_workflow', args);
		return await client.waitForExecution(executionId);
	};
	expect((await run('Check My List')).status).toBe('success');
	expect(service.invitations).toEqual([]);
	await run('start');
	const sent = [...service.invitations].sort((a, b) =>
		a.ext_reference_id.localeCompare(b.ext_reference_id),
	);
	expect(await links()).toEqual(sent.map(({ invitation_link }) => invitation_link));
	expect(sent).toHaveLength(2);
});

test('an agent in a workflow invites once, and looks up by link and by code', async ({
	assistant,
	build,
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
		await exampleOf(assistant, `${ACTION}Tool`, 'Invite and Get'),
		`const agent = node({ type: '@n8n/n8n-nodes-langchain.agent', version: 3.1, config: { name: 'agent',
			parameters: { promptType: 'define', text: 'Invite Maya' }, subnodes: { model, tools: [inviteTool, getTool] } } });
		export default workflow('id', 'Agent').add(start).to(agent);`,
	);
	await client.waitForExecution(await assistant.run(workflowId));
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

test('results come, with their scores', async ({ assistant, build, n8n: { client }, service }) => {
	const webhookId = `webhookId: '${service.webhookId}'`;
	const results = await build(
		`const ready = trigger({ type: '${TRIGGER}', version: 1.1, config: { name: 'ready', parameters: { ${webhookId} }, ${CREDENTIALS} } });`,
		await exampleOf(assistant, ACTION, 'Get a result'),
		"export default workflow('id', 'Results').add(ready).to(getResult);",
	);
	await assistant.call('publish_workflow', { workflowId: results });
	await expect.poll(() => service.webhooks[0].status).toBe('active');
	await service.finish((await inviteAt(service)).invitation_code);
	const [{ id }] = await client.waitForExecutions(results, 1);
	const [{ json }] = itemsOf(await client.getExecution(id), 'Get Result');
	expect(json).toMatchObject({ status: 'completed', last_name: 'Okafor' });
	expect(json.scores.role_fit).toBeGreaterThan(0);
	await client.unpublish(results);
});
