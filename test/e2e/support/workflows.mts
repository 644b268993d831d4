import type {
	Credential,
	Execution,
	N8nClient,
	WorkflowDefinition,
	WorkflowNode,
} from '../../../tools/n8n/client.mts';
import { ACTION, chain, withCredential } from '../../../demo/workflows/parts.mts';
import { JOB } from '../../support/example.mts';

/** The nodes of the workflows below, by name. */
export const START = 'Start';
const ITEMS_NODE = 'Items';
export const ACTION_NODE = 'Assessment';

export const RESULT_READY = 'candidate_application_result_ready';

type Parameters = WorkflowNode['parameters'];

/** Parameters that invite each item's `ref`, without a name. */
export const anonymousInvitation = (more: Parameters = {}) => ({
	resource: 'candidate',
	operation: 'invite',
	jobId: JOB,
	extReferenceId: '={{ $json.ref }}',
	isAnonymousCandidate: true,
	...more,
});

/** A node without its place on the canvas. */
export type Part = Pick<WorkflowNode, 'name' | 'type' | 'typeVersion' | 'parameters'> &
	Partial<WorkflowNode>;

/** One of n8n's nodes. */
export function baseNode(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Parameters = {},
): Part {
	return { name, type: `n8n-nodes-base.${type}`, typeVersion, parameters };
}

/** Our action node, with settings such as `onError`. */
export function actionNode(
	credential: Credential,
	parameters: Parameters,
	settings: Partial<WorkflowNode> = {},
): Part {
	const credentials = withCredential(credential);
	return { name: ACTION_NODE, type: ACTION, typeVersion: 1, parameters, credentials, ...settings };
}

/** Nodes in a row. */
export function workflowOf(name: string, ...nodes: Part[]): WorkflowDefinition {
	return {
		name,
		nodes: nodes.map((node, index) => ({
			id: `node-${index}`,
			position: [200 * index, 0],
			...node,
		})),
		connections: chain(...nodes.map((node) => node.name)),
		settings: { executionOrder: 'v1' },
	};
}

/** A workflow that is started by hand and passes items, a JavaScript expression, to other nodes. */
export function itemsWorkflow(name: string, items: string, ...nodes: Part[]): WorkflowDefinition {
	const jsCode = `return (${items}).map((json) => ({ json }));`;
	const start = baseNode(START, 'manualTrigger', 1);
	return workflowOf(name, start, baseNode(ITEMS_NODE, 'code', 2, { jsCode }), ...nodes);
}

/** Changes a node of a saved workflow, as its user does. */
export async function editNode(
	client: N8nClient,
	workflowId: string,
	name: string,
	change: Partial<WorkflowNode>,
): Promise<void> {
	const { nodes, versionId } = await client.getWorkflow(workflowId);
	const changed = nodes.map((node) => (node.name === name ? { ...node, ...change } : node));
	await client.request('PATCH', `/rest/workflows/${workflowId}`, { nodes: changed, versionId });
}

/** Runs our action node once. Returns the execution when it has ended. */
export async function runAction(
	client: N8nClient,
	credential: Credential,
	parameters: Parameters,
): Promise<Execution> {
	const workflow = itemsWorkflow('Action', '[{}]', actionNode(credential, parameters));
	const { id } = await client.createWorkflow(workflow);
	return await client.runToEnd(id, START, 300_000);
}
