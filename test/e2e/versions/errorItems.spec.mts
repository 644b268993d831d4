import { freePort, HOST } from '../../../tools/n8n/ports.mts';
import { itemsOf } from '../../../tools/n8n/client.mts';
import {
	ACTION_NODE,
	actionNode,
	anonymousInvitation,
	baseNode,
	itemsWorkflow,
	ITEMS_NODE,
	START,
	type Part,
} from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

// n8n moves an item to the error output if an earlier node has left an error in it.

const SOURCE = 'Earlier node';
const PERSON = "{ ref: 'APP-1', name: 'Nathan' }";

const continuing = (part: Part): Part => ({
	...part,
	name: SOURCE,
	onError: 'continueRegularOutput',
});

/** What a Code node gives, or the node behind it. */
const SOURCES: Array<[what: string, items: string, node?: () => Promise<Part>]> = [
	['a JSON of only error', "{ error: 'The table was away' }"],
	['a JSON of error and message', "{ error: 'The table was away', message: 'Try again' }"],
	['a JSON of error, message and details', "{ error: 'No', message: 'Again', details: 'Away' }"],
	['a field error among others', "{ ref: 'APP-1', error: 'The table was away' }"],
	[
		'an error of Code',
		PERSON,
		async () => {
			const parameters = { mode: 'runOnceForEachItem', jsCode: "throw new Error('No')" };
			return continuing(baseNode(SOURCE, 'code', 2, parameters));
		},
	],
	[
		'an error of HTTP Request',
		PERSON,
		async () => {
			const parameters = { url: `http://${HOST}:${await freePort()}`, options: {} };
			return continuing(baseNode(SOURCE, 'httpRequest', 4.2, parameters));
		},
	],
];

for (const [what, item, node] of SOURCES) {
	test(`who was already invited goes to Already Invited, unchanged, also with ${what}`, async ({
		n8n: { client },
		service,
		credential,
	}) => {
		const parameters = anonymousInvitation({ extReferenceId: 'APP-1' });
		const invite = actionNode(credential, parameters, { onError: 'continueErrorOutput' });
		const before = node ? [await node()] : [];
		const { id } = await client.createWorkflow(
			itemsWorkflow('Error items', `[${item}]`, ...before, invite),
		);
		const first = await client.runToEnd(id, START);
		expect(itemsOf(first, ACTION_NODE)).toHaveLength(1);

		const second = await client.runToEnd(id, START);
		const [input] = itemsOf(second, node ? SOURCE : ITEMS_NODE);
		expect(JSON.stringify(input), 'the earlier node has failed').toContain('"error"');
		const outputs = [0, 1, 2].map((output) => itemsOf(second, ACTION_NODE, output));
		expect(outputs.map((items) => items.map(({ json }) => json))).toEqual([[], [input.json], []]);
		expect(service.requests).toHaveLength(1);
	});
}
