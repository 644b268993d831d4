import { itemsOf } from '../../../tools/n8n/client.mts';
import {
	ACTION_NODE,
	actionNode,
	anonymousInvitation,
	baseNode,
	itemsWorkflow,
	START,
	type Part,
} from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

// n8n moves an item to the error output if an earlier node has left an error in it, each line in its own way.

const FAILING = 'Earlier node';
const ITEMS = [
	{ error: 'The table was away' },
	{ error: 'The table was away', message: 'Try again' },
	{ error: 'No', message: 'Again', details: 'Away' },
	{ ref: 'APP-1', error: 'The table was away' },
	{ ref: 'APP-1', isFailing: true },
];

test('who was already invited goes to Already Invited, unchanged, also with an error of an earlier node', async ({
	n8n: { client },
	service,
	credential,
}) => {
	const jsCode = "if ($json.isFailing) throw new Error('No'); return $input.item;";
	const code = baseNode(FAILING, 'code', 2, { mode: 'runOnceForEachItem', jsCode });
	const failing: Part = { ...code, onError: 'continueRegularOutput' };
	const parameters = anonymousInvitation({ extReferenceId: 'APP-1' });
	const invite = actionNode(credential, parameters, { onError: 'continueErrorOutput' });
	const items = JSON.stringify(ITEMS);
	const { id } = await client.createWorkflow(itemsWorkflow('Errors', items, failing, invite));
	await client.runToEnd(id, START);
	const second = await client.runToEnd(id, START);
	const input = itemsOf(second, FAILING);
	expect(input.map((item) => JSON.stringify(item).includes('"error"'))).toEqual(
		ITEMS.map(() => true),
	);
	const outputs = [0, 1, 2].map((output) => itemsOf(second, ACTION_NODE, output));
	const jsonOf = (all: typeof input) => all.map(({ json }) => json);
	expect(outputs.map(jsonOf)).toEqual([[], jsonOf(input), []]);
	expect(service.requests).toHaveLength(1);
});
