import type { WorkflowDefinition } from '../../../tools/n8n/client.mts';
import { createInviteList, references } from '../../support/inviteList.mts';
import { ACTION_NODE, baseNode, ITEMS_NODE, START } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

const LOOP = 'Loop Over Items';
const MERGE = 'Merge';
const WHO = 'Who';

const to = (node: string, index = 0) => [{ node, type: 'main', index }];

/** A loop with the given rest of its connections. */
const inLoop = (batchSize: number, connections: WorkflowDefinition['connections']) => ({
	more: [
		baseNode(LOOP, 'splitInBatches', 3, { batchSize, options: {} }),
		baseNode(MERGE, 'merge', 3.2),
		baseNode(WHO, 'code', 2, {
			mode: 'runOnceForEachItem',
			jsCode: `return { json: { from: $('${ITEMS_NODE}').item.json.ref, isSent: 'invitation_link' in $json } };`,
		}),
	],
	connections: {
		[START]: { main: [to(ITEMS_NODE)] },
		[ITEMS_NODE]: { main: [to(LOOP)] },
		[LOOP]: { main: [to(WHO), to(ACTION_NODE)] },
		...connections,
	},
});

test('a loop whose second output leads nowhere ends with a hint', async ({ n8n, service }) => {
	const list = await createInviteList(n8n.client, service, {
		list: ['APP-1', 'APP-1', 'APP-2'],
		...inLoop(1, { [ACTION_NODE]: { main: [to(LOOP)] } }),
	});
	const { status, hints } = await list.run();
	expect(status).toBe('success');
	expect(list.sent()).toEqual(['APP-1']);
	expect(hints).toEqual([
		"1 candidate had already been invited. Nothing was sent. See the 'Already Invited' output. In a loop, connect that output back to it, too: otherwise, the loop ends here.",
	]);
});

test('a loop whose outputs lead back through a merge runs what follows once, for everybody, and hints nothing', async ({
	n8n,
	service,
}) => {
	const list = await createInviteList(n8n.client, service, {
		list: ['APP-1', 'APP-1', 'APP-2', 'APP-3', 'APP-2', 'APP-4'],
		...inLoop(2, {
			[ACTION_NODE]: { main: [to(MERGE, 0), to(MERGE, 1)] },
			[MERGE]: { main: [to(LOOP)] },
		}),
	});
	const { status, data, hints } = await list.run();
	expect(status).toBe('success');
	expect(list.sent()).toEqual(references(4));
	const runs = data.resultData.runData[WHO];
	expect(runs.map((run) => run.data?.main[0]?.map(({ json }) => json))).toEqual([
		[
			{ from: 'APP-1', isSent: true },
			{ from: 'APP-1', isSent: false },
			{ from: 'APP-2', isSent: true },
			{ from: 'APP-3', isSent: true },
			{ from: 'APP-4', isSent: true },
			{ from: 'APP-2', isSent: false },
		],
	]);
	expect(hints).toEqual([]);
	expect((await list.run()).status).toBe('success');
	expect(list.sent()).toEqual(references(4));
});
