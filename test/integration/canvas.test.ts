import { NodeHelpers, Workflow, type INode, type INodeTypes } from 'n8n-workflow';
import { loadPackage } from './NodeTestHarness';

/** What n8n shows under a node on the canvas. */
async function subtitleOf(type: string, parameters: INode['parameters']): Promise<unknown> {
	const loader = await loadPackage();
	const nodeType = NodeHelpers.getVersionedNodeType(loader.getNode(type).type);
	const nodeTypes: INodeTypes = {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	};
	const node: INode = { id: '1', name: 'Node', type, typeVersion: 1, position: [0, 0], parameters };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const subtitle = String(nodeType.description.subtitle);
	return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
}

describe('On the canvas', () => {
	it.each([
		['candidate', 'invite', 'Invite candidate'],
		['candidate', 'get', 'Get candidate'],
		['webhook', 'delete', 'Delete webhook'],
	])('%s: %s is called "%s"', async (resource, operation, action) => {
		expect(await subtitleOf('candidateAssessment', { resource, operation })).toBe(action);
	});

	it('the trigger tells its events, the known one by its name', async () => {
		const events = ['candidate_application_result_ready', 'another'];
		expect(await subtitleOf('candidateAssessmentTrigger', { events })).toBe(
			'Candidate Result Ready, another',
		);
	});
});

describe('The resources to choose from', () => {
	it.each([
		['candidateAssessment', ['candidate', 'webhook']],
		['candidateAssessmentTool', ['candidate']],
	])('of %s are %j: an AI agent changes no webhooks', async (name, values) => {
		const { type } = (await loadPackage()).getNode('candidateAssessment');
		// n8n tells a tool by this name.
		const description = { ...NodeHelpers.getVersionedNodeType(type).description, name };
		const node = { typeVersion: 1, parameters: {} };
		const offered = description.properties
			.filter((property) => property.name === 'resource')
			.filter((property) => NodeHelpers.displayParameter({}, property, node, description))
			.flatMap(({ options }) => options?.map((option) => 'value' in option && option.value));
		expect(offered).toEqual(values);
	});
});
