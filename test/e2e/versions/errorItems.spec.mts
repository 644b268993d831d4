import { itemsOf } from '../../../tools/n8n/client.mts';
import {
	ACTION_NODE,
	actionNode,
	anonymousInvitation,
	baseNode,
	itemsWorkflow,
	START,
	type Part,
} from '../support/workflows.mts';
import { expect, test } from '../support/fixtures.mts';

// n8n moves items with an earlier node's error to the error output, and each line of n8n does it differently.

const FAILING = 'Earlier node';
const ITEMS = [
	{ error: 'The table was away' },
	{ error: 'The table was away', message: 'Try again' },
	{ error: 'No', message: 'Again', details: 'Away' },
	{ ref: 'APP-1', error: 'The table was away' },
	{ ref: 'APP-1', isFailing: true },
];

const earlierNode = (): Part => {
	const jsCode = "if ($json.isFailing) throw new Error('No'); return $input.item;";
	const code = baseNode(FAILING, 'code', 2, { mode: 'runOnceForEachItem', jsCode });
	return { ...code, onError: 'continueRegularOutput' };
};

test('who is invited leaves at Invited with the fields of the row, and the next time at Already Invited, unchanged, also with an error of an earlier node', async ({
	n8n: { client },
	service,
	credential,
}) => {
	const parameters = anonymousInvitation({ extReferenceId: '={{ "APP-" + $itemIndex }}' });
	const invite = actionNode(credential, parameters, { onError: 'continueErrorOutput' });
	const items = JSON.stringify(ITEMS);
	const { id } = await client.createWorkflow(itemsWorkflow('Errors', items, earlierNode(), invite));
	const run = async () => {
		const execution = await client.runToEnd(id, START);
		const input = itemsOf(execution, FAILING);
		for (const item of input) expect(JSON.stringify(item)).toContain('"error"');
		const outputs = [0, 1, 2].map((output) => itemsOf(execution, ACTION_NODE, output));
		return [input, ...outputs].map((all) => all.map(({ json }) => json));
	};
	const [input, ...outputs] = await run();
	const invited = input.map((json, index) => ({
		...json,
		ext_reference_id: `APP-${index}`,
		status: 'invited',
	}));
	expect(outputs).toMatchObject([invited, [], []]);
	const [next, ...again] = await run();
	expect(again).toEqual([[], next, []]);
	expect(service.requests).toHaveLength(ITEMS.length);
});
