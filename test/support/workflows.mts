import type {
	Credential,
	Execution,
	N8nClient,
	WorkflowDefinition,
	WorkflowNode,
} from '../../tools/n8n/client.mts';
import { ACTION, chain, TRIGGER, withCredential } from '../../demo/workflows/parts.mts';

/** The nodes of the workflows below, by name. */
export const START = 'Start';
export const ITEMS_NODE = 'Items';
export const ACTION_NODE = 'Assessment';
export const TRIGGER_NODE = 'Result Ready';

export const RESULT_READY = 'candidate_application_result_ready';

/** Parameters that invite each item's `ref`, without a name. */
export const anonymousInvitation = (more: Record<string, unknown> = {}) => ({
	resource: 'candidate',
	operation: 'invite',
	jobId: '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c',
	extReferenceId: '={{ $json.ref }}',
	isAnonymousCandidate: true,
	...more,
});

interface ActionWorkflow {
	name: string;
	credential: Credential;
	/** Of the action node. */
	parameters: Record<string, unknown>;
	/** The input of the action node, as an expression in JavaScript. Defaults to one empty item. */
	items?: string;
	onError?: WorkflowNode['onError'];
}

/** A node without its place on the canvas. */
export type Part = Pick<WorkflowNode, 'name' | 'type' | 'typeVersion' | 'parameters'> &
	Partial<WorkflowNode>;

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

/** A workflow that is started by hand and hands items to an action node. */
export function actionWorkflow({
	name,
	credential,
	parameters,
	items = '[{}]',
	onError,
}: ActionWorkflow): WorkflowDefinition {
	return itemsWorkflow(name, items, {
		name: ACTION_NODE,
		type: ACTION,
		typeVersion: 1,
		parameters,
		credentials: withCredential(credential),
		...(onError && { onError }),
	});
}

/** A workflow that is started by hand and hands items to any node. */
export function itemsWorkflow(name: string, items: string, node: Part): WorkflowDefinition {
	const [start, code] = ['n8n-nodes-base.manualTrigger', 'n8n-nodes-base.code'];
	const jsCode = `return (${items}).map((json) => ({ json }));`;
	return workflowOf(
		name,
		{ name: START, type: start, typeVersion: 1, parameters: {} },
		{ name: ITEMS_NODE, type: code, typeVersion: 2, parameters: { jsCode } },
		node,
	);
}

/** Creates such a workflow and runs it. Returns the execution when it has ended. */
export async function runAction(client: N8nClient, workflow: ActionWorkflow): Promise<Execution> {
	const { id } = await client.createWorkflow(actionWorkflow(workflow));
	return await client.runToEnd(id, START, 300_000);
}

interface TriggerWorkflow {
	name: string;
	credential: Credential;
	/** The webhook at the service. */
	webhookId: string;
	/** The path of the trigger's URLs. */
	path: string;
}

/** A workflow of nothing but the trigger. */
export function triggerWorkflow({
	name,
	credential,
	webhookId,
	path,
}: TriggerWorkflow): WorkflowDefinition {
	return workflowOf(name, {
		name: TRIGGER_NODE,
		type: TRIGGER,
		typeVersion: 1.1,
		webhookId: path,
		parameters: { webhookId, events: [RESULT_READY] },
		credentials: withCredential(credential),
	});
}
