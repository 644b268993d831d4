import { NodeHelpers, Workflow, type INode, type INodeTypeDescription } from 'n8n-workflow';
import { nodeTypesBy } from './CredentialsStore';
import { loadPackage } from './NodeTestHarness';

/** What n8n makes of a text of the description, such as the subtitle under a node on the canvas. */
async function evaluated(
	type: string,
	parameters: INode['parameters'],
	textOf = ({ subtitle }: INodeTypeDescription) => subtitle,
): Promise<unknown> {
	const loader = await loadPackage();
	const nodeType = NodeHelpers.getVersionedNodeType(loader.getNode(type).type);
	const nodeTypes = nodeTypesBy(() => nodeType);
	const node: INode = { id: '1', name: 'Node', type, typeVersion: 1, position: [0, 0], parameters };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const text = String(textOf(nodeType.description));
	return workflow.expression.getSimpleParameterValue(node, text, 'internal', {});
}

it.each([
	['candidate', 'invite', 'Candidate: Invite'],
	['candidate', 'get', 'Candidate: Get'],
	['webhook', 'setStatus', 'Webhook: Set Status'],
])('under a node, %s and %s are called "%s"', async (resource, operation, subtitle) => {
	expect(await evaluated('candidateAssessment', { resource, operation })).toBe(subtitle);
});

it('under a node that only checks stands that it does', async () => {
	const parameters = { operation: 'invite', options: { checkOnly: true } };
	const check = await evaluated('candidateAssessment', parameters);
	expect(check).toBe('Candidate: Invite (Check Only)');
});

it.each([
	['invite', 'inviteAgain', true],
	['invite', 'skip', false],
	['get', 'inviteAgain', false],
])("before a run of '%s' with '%s', Invite Again is warned about: %s", async (...choice) => {
	const [operation, alreadyInvited, isShown] = choice;
	const parameters = { resource: 'candidate', operation, alreadyInvited };
	const hint = await evaluated('candidateAssessment', parameters, ({ hints }) => {
		expect(hints).toHaveLength(1);
		return hints?.[0].displayCondition;
	});
	expect(hint).toBe(isShown);
});

it('under the trigger stand its events, the usual one by its name', async () => {
	const events = ['candidate_application_result_ready', 'another'];
	expect(await evaluated('candidateAssessmentTrigger', { events })).toBe(
		'Candidate Result Ready, another',
	);
});

it('The resource stands once: n8n lists the actions of each such property, hidden or not', async () => {
	const { type } = (await loadPackage()).getNode('candidateAssessment');
	const { properties } = NodeHelpers.getVersionedNodeType(type).description;
	expect(properties.filter(({ name }) => name === 'resource')).toHaveLength(1);
});
