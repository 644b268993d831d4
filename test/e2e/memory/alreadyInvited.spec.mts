import type { WorkflowDefinition, WorkflowNode } from '../../../tools/n8n/client.mts';
import { InviteList, references } from '../../support/inviteList.mts';
import { ACTION_NODE, ITEMS_NODE, START } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

const LOOP = 'Loop Over Items';
const MERGE = 'Merge';
const WHO = 'Who';

const to = (node: string, index = 0) => [{ node, type: 'main' as const, index }];

/** A loop of one item a round; the outputs of the action node that lead back to it are given. */
function inLoop(...outputs: number[]) {
	return (workflow: WorkflowDefinition) => {
		workflow.nodes.push(node(LOOP, 'splitInBatches', 3, { batchSize: 1, options: {} }));
		workflow.connections = {
			[START]: { main: [to(ITEMS_NODE)] },
			[ITEMS_NODE]: { main: [to(LOOP)] },
			[LOOP]: { main: [[], to(ACTION_NODE)] },
			[ACTION_NODE]: { main: [0, 1].map((output) => (outputs.includes(output) ? to(LOOP) : [])) },
		};
	};
}

/** Both outputs in one list, each item with what it came from. */
function merged(workflow: WorkflowDefinition): void {
	workflow.nodes.push(
		node(MERGE, 'merge', 3.2, {}),
		node(WHO, 'code', 2, {
			mode: 'runOnceForEachItem',
			jsCode: `return { json: { from: $('${ITEMS_NODE}').item.json.ref, isSent: 'invitation_link' in $json } };`,
		}),
	);
	Object.assign(workflow.connections, {
		[ACTION_NODE]: { main: [to(MERGE, 0), to(MERGE, 1)] },
		[MERGE]: { main: [to(WHO)] },
	});
}

/** A loop of two items a round, whose outputs lead back to it through a merge. */
function inLoopThroughMerge(workflow: WorkflowDefinition): void {
	inLoop()(workflow);
	merged(workflow);
	workflow.nodes.find(({ name }) => name === LOOP)!.parameters.batchSize = 2;
	workflow.connections[LOOP] = { main: [to(WHO), to(ACTION_NODE)] };
	workflow.connections[MERGE] = { main: [to(LOOP)] };
}

function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown>,
): WorkflowNode {
	return {
		...{ id: name, name, typeVersion, parameters },
		type: `n8n-nodes-base.${type}`,
		position: [600, 200],
	};
}

test('a loop whose second output leads nowhere ends with a hint', async ({ n8n, service }) => {
	const list = await InviteList.create(n8n.client, service, {
		list: ['APP-1', 'APP-1', 'APP-2'],
		change: inLoop(0),
	});
	const { status, hints } = await list.run();
	expect(status).toBe('success');
	expect(list.sent).toEqual(['APP-1']);
	expect(hints).toEqual([
		"1 candidate was invited before. Nothing was sent. If 'Already Invited' isn't connected, the loop ends here. Lead all outputs back to it through a Merge node.",
	]);
});

test('a loop with mixed rounds, through a merge, runs what follows once', async ({
	n8n,
	service,
}) => {
	const list = await InviteList.create(n8n.client, service, {
		list: ['APP-1', 'APP-1', 'APP-2', 'APP-2', 'APP-3', 'APP-4', 'APP-4', 'APP-4'],
		change: inLoopThroughMerge,
	});
	const { status, data } = await list.run();
	expect(status).toBe('success');
	expect(list.sent).toEqual(references(4));
	const runs = data.resultData.runData[WHO];
	expect(runs.map((run) => run.data?.main[0]?.length)).toEqual([8]);
	expect((await list.run()).status).toBe('success');
	expect(list.sent).toEqual(references(4));
});

test('failed rows leave at the error output, behind Already Invited', async ({ n8n, service }) => {
	const list = await InviteList.create(n8n.client, service, {
		list: [...references(2), ''],
		settings: { onError: 'continueErrorOutput' },
	});
	const { outputs } = await list.run();
	expect(outputs.map(({ length }) => length)).toEqual([2, 0, 1]);
});

test('a merge of both outputs has everybody, and there is no hint where somebody was invited', async ({
	n8n,
	service,
}) => {
	const both = await InviteList.create(n8n.client, service, {
		list: ['APP-5', 'APP-6', 'APP-5'],
		change: merged,
	});
	const { data, hints } = await both.run();
	const [run] = data.resultData.runData[WHO];
	expect(run.data?.main[0]?.map(({ json }) => json)).toEqual([
		{ from: 'APP-5', isSent: true },
		{ from: 'APP-6', isSent: true },
		{ from: 'APP-5', isSent: false },
	]);
	expect(hints).toEqual([]);
});
