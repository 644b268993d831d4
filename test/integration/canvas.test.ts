import { Workflow, type INode, type INodeTypeDescription } from 'n8n-workflow';
import { nodeTypesBy } from './CredentialsStore';
import { loadNode } from './NodeTestHarness';

/** What n8n makes of a text of the description, such as the subtitle under a node on the canvas. */
async function evaluated(
	type: string,
	parameters: INode['parameters'],
	textOf = ({ subtitle }: INodeTypeDescription) => subtitle,
): Promise<unknown> {
	const nodeType = await loadNode(type);
	const nodeTypes = nodeTypesBy(() => nodeType);
	const node: INode = { id: '1', name: 'Node', type, typeVersion: 1, position: [0, 0], parameters };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const text = String(textOf(nodeType.description));
	return workflow.expression.getSimpleParameterValue(node, text, 'internal', {});
}

const events = ['candidate_application_result_ready', 'another'];

it.each<[string, INode['parameters'], string]>([
	['candidateAssessment', { resource: 'candidate', operation: 'get' }, 'Candidate: Get'],
	['candidateAssessment', { resource: 'webhook', operation: 'setStatus' }, 'Webhook: Set Status'],
	['candidateAssessment', { options: { checkOnly: true } }, 'Candidate: Invite (Check Only)'],
	['candidateAssessment', { options: { checkOnly: '={{ true }}' } }, 'Candidate: Invite'],
	['candidateAssessmentTrigger', { events }, 'Candidate Result Ready, another'],
])('under a node stands what it does: %s, %j is "%s"', async (type, parameters, subtitle) => {
	expect(await evaluated(type, parameters)).toBe(subtitle);
});

it.each([
	['invite', 'inviteAgain', true],
	['invite', 'skip', false],
	['get', 'inviteAgain', false],
])("before a run of '%s' with '%s', Invite Again is warned about: %s", async (...choice) => {
	const [operation, alreadyInvited, isShown] = choice;
	const parameters = { resource: 'candidate', operation, alreadyInvited };
	const hint = await evaluated(
		'candidateAssessment',
		parameters,
		({ hints }) => hints?.find(({ type }) => type === 'warning')?.displayCondition,
	);
	expect(hint).toBe(isShown);
});

it('The resource stands once: n8n lists the actions of each such property, hidden or not', async () => {
	const { properties } = (await loadNode('candidateAssessment')).description;
	expect(properties.filter(({ name }) => name === 'resource')).toHaveLength(1);
});
