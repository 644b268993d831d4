import {
	NodeHelpers,
	Workflow,
	type INode,
	type INodeParameters,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { nodeTypesBy } from './support/credentialsStore.mts';
import { loadNode } from './support/NodeTestHarness';

/** Evaluates a text of the description as n8n does, such as the subtitle under a node on the canvas. */
async function evaluated(
	type: string,
	parameters: INode['parameters'],
	textOf = ({ subtitle }: INodeTypeDescription) => subtitle,
): Promise<unknown> {
	const nodeType = await loadNode(type);
	// n8n adds this field to a tool.
	const ofATool = { displayName: '', type: 'string' as const, default: '' };
	const properties = [...nodeType.description.properties, { ...ofATool, name: 'descriptionType' }];
	const described = { ...nodeType, description: { ...nodeType.description, properties } };
	const nodeTypes = nodeTypesBy(() => described);
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

it.each<[words: string, more: INodeParameters, isShown: boolean]>([
	['info: To build the next steps', {}, true],
	['info: To build the next steps', { descriptionType: 'auto' }, false],
	['warning: With <b>Invite Again</b>', { alreadyInvited: 'inviteAgain' }, true],
	['warning: With <b>Invite Again</b>', { alreadyInvited: 'skip' }, false],
	['warning: With <b>Invite Again</b>', { alreadyInvited: 'inviteAgain', operation: 'get' }, false],
])('before a run, the panel says "%s …" with %j: %s', async (words, more, isShown) => {
	const parameters = { resource: 'candidate', operation: 'invite', ...more };
	const hint = await evaluated('candidateAssessment', parameters, ({ hints = [] }) => {
		const found = hints.find(({ type = 'info', message }) =>
			`${type}: ${message}`.startsWith(words),
		);
		return found?.displayCondition;
	});
	expect(hint).toBe(isShown);
});

/** The fields that n8n shows in the action node's panel, in order, and those it marks as missing. */
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

it('name and email are asked for, except of an anonymous candidate, who may have them', async () => {
	expect((await panelOf({})).missing).toEqual([...APPLICATION, ...PERSON]);
	// An expression can differ for each item, so the panel requires nothing.
	for (const isAnonymousCandidate of [true, '={{ $json.anonymous }}']) {
		const anonymous = await panelOf({ isAnonymousCandidate });
		expect(anonymous.missing).toEqual(APPLICATION);
		expect(anonymous.shown.filter((each) => PERSON.includes(each))).toEqual(PERSON);
	}
});
