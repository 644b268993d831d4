import { NodeHelpers, Workflow, type INode } from 'n8n-workflow';
import { nodeTypesBy } from './CredentialsStore';
import { loadPackage } from './NodeTestHarness';

/** What n8n shows under a node on the canvas. */
async function subtitleOf(type: string, parameters: INode['parameters']): Promise<unknown> {
	const loader = await loadPackage();
	const nodeType = NodeHelpers.getVersionedNodeType(loader.getNode(type).type);
	const nodeTypes = nodeTypesBy(() => nodeType);
	const node: INode = { id: '1', name: 'Node', type, typeVersion: 1, position: [0, 0], parameters };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const subtitle = String(nodeType.description.subtitle);
	return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
}

it.each([
	['candidate', 'invite', 'Candidate: Invite'],
	['candidate', 'get', 'Candidate: Get'],
	['webhook', 'setStatus', 'Webhook: Set Status'],
])('under a node, %s and %s are called "%s"', async (resource, operation, subtitle) => {
	expect(await subtitleOf('candidateAssessment', { resource, operation })).toBe(subtitle);
});

it('under a node that only checks stands that it does', async () => {
	const parameters = { operation: 'invite', options: { checkOnly: true } };
	const check = await subtitleOf('candidateAssessment', parameters);
	expect(check).toBe('Candidate: Invite (Check Only)');
});

it('under the trigger stand its events, the usual one by its name', async () => {
	const events = ['candidate_application_result_ready', 'another'];
	expect(await subtitleOf('candidateAssessmentTrigger', { events })).toBe(
		'Candidate Result Ready, another',
	);
});

it('The resource stands once: n8n lists the actions of each such property, hidden or not', async () => {
	const { type } = (await loadPackage()).getNode('candidateAssessment');
	const { properties } = NodeHelpers.getVersionedNodeType(type).description;
	expect(properties.filter(({ name }) => name === 'resource')).toHaveLength(1);
});
