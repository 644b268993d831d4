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

interface ActionWorkflow {
	name: string;
	credential: Credential;
	/** Of the action node. */
	parameters: Record<string, unknown>;
	/** What the action node gets, as an expression in JavaScript: one empty item if not given. */
	items?: string;
	onError?: WorkflowNode['onError'];
}

/** A workflow that is started by hand and hands some items to one action node. */
export function actionWorkflow({
	name,
	credential,
	parameters,
	items = '[{}]',
	onError,
}: ActionWorkflow): WorkflowDefinition {
	return itemsWorkflow(name, items, {
		id: 'action',
		name: ACTION_NODE,
		type: ACTION,
		typeVersion: 1,
		position: [400, 0],
		parameters,
		credentials: withCredential(credential),
		...(onError && { onError }),
	});
}

/** Of the node that makes the items, from an expression in JavaScript. */
export function itemsParameters(items: string): Record<string, unknown> {
	return { jsCode: `return (${items}).map((json) => ({ json }));` };
}

/** A workflow that is started by hand and hands some items to one node, whichever it is. */
export function itemsWorkflow(name: string, items: string, node: WorkflowNode): WorkflowDefinition {
	return {
		name,
		nodes: [
			{
				id: 'start',
				name: START,
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: 'items',
				name: ITEMS_NODE,
				type: 'n8n-nodes-base.code',
				typeVersion: 2,
				position: [200, 0],
				parameters: itemsParameters(items),
			},
			node,
		],
		connections: chain(START, ITEMS_NODE, node.name),
		settings: { executionOrder: 'v1' },
	};
}

/** Makes such a workflow, runs it, and gives the execution when it has ended. */
export async function runAction(client: N8nClient, workflow: ActionWorkflow): Promise<Execution> {
	const { id } = await client.createWorkflow(actionWorkflow(workflow));
	return await client.runToEnd(id, START, 300_000);
}

interface TriggerWorkflow {
	name: string;
	credential: Credential;
	/** The webhook at the service. */
	webhookId: string;
	/** What n8n makes the trigger's address from. */
	path: string;
}

/** A workflow of nothing but the trigger. */
export function triggerWorkflow({
	name,
	credential,
	webhookId,
	path,
}: TriggerWorkflow): WorkflowDefinition {
	return {
		name,
		nodes: [
			{
				id: 'trigger',
				name: TRIGGER_NODE,
				type: TRIGGER,
				typeVersion: 1.1,
				position: [0, 0],
				webhookId: path,
				parameters: { webhookId, events: [RESULT_READY] },
				credentials: withCredential(credential),
			},
		],
		connections: {},
		settings: { executionOrder: 'v1' },
	};
}
