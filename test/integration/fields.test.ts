import { NodeHelpers, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { loadNode } from './NodeTestHarness';

/** The fields that n8n shows in the panel of the action node, in their order, and those that it marks as missing. */
async function panelOf(parameters: INodeParameters) {
	const { description } = await loadNode('candidateAssessment');
	const { properties, name } = description;
	const node: INode = { id: '1', name, type: name, typeVersion: 1, position: [0, 0], parameters };
	const all = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		true,
		false,
		node,
		description,
	)!;
	const shown = properties.filter((each) =>
		NodeHelpers.displayParameter(all, each, node, description),
	);
	const issues = NodeHelpers.getNodeParametersIssues(
		properties,
		{ ...node, parameters: all },
		description,
	);
	return { shown: shown.map((each) => each.name), missing: Object.keys(issues?.parameters ?? {}) };
}

const APPLICATION = ['jobId', 'extReferenceId'];
const PERSON = ['email', 'firstName', 'lastName'];
const INVITE = [
	...APPLICATION,
	'isAnonymousCandidate',
	...PERSON,
	'alreadyInvited',
	'additionalFields',
];

it.each([
	['candidate', 'invite', INVITE],
	['candidate', 'get', ['invitationCode', 'simplify', 'downloadReport']],
	['webhook', 'update', ['webhookId', 'name', 'url', 'events', 'replaceNotice', 'secret']],
	['webhook', 'setStatus', ['webhookId', 'status']],
	['webhook', 'delete', ['webhookId', 'deleteNotice']],
])(
	'the panel of %s and %s shows its own fields, no others',
	async (resource, operation, fields) => {
		const { shown } = await panelOf({ resource, operation });
		expect(shown).toEqual(['resource', 'operation', ...fields, 'options']);
	},
);

it('the panel says that there are two deadlines', async () => {
	const { description } = await loadNode('candidateAssessment');
	const fields = description.properties.find(({ name }) => name === 'additionalFields');
	const [first, second] = fields?.options as INodeProperties[];
	expect(`${first.displayName}, ${second.displayName}: ${second.hint}`).toBe(
		"Deadline, Deadline in Days: Use either this or 'Deadline', not both",
	);
});

it('name and email are asked for, except of an anonymous candidate, who may have them', async () => {
	expect((await panelOf({})).missing).toEqual([...APPLICATION, ...PERSON]);
	// An expression decides for each item, so the panel asks for nothing.
	for (const isAnonymousCandidate of [true, '={{ $json.anonymous }}']) {
		const anonymous = await panelOf({ isAnonymousCandidate });
		expect(anonymous.missing).toEqual(APPLICATION);
		expect(anonymous.shown.filter((each) => PERSON.includes(each))).toEqual(PERSON);
	}
});
