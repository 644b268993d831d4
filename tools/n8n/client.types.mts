/** The owner account of an n8n. */
export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

export interface CredentialToCreate {
	name: string;
	/** The credential type's internal name. */
	type: string;
	data: Record<string, unknown>;
}

/** How a node or a list names a credential. */
export interface Credential {
	id: string;
	name: string;
	type: string;
}

/** The result of a credential's test. */
export interface ConnectionTest {
	status: 'OK' | 'Error';
	message: string;
}

export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [x: number, y: number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	/** Part of the address of a trigger that receives calls. */
	webhookId?: string;
	/** "continueRegularOutput" and "continueErrorOutput" go on after an error. */
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	[setting: string]: unknown;
}

interface ConnectionTarget {
	node: string;
	type: string;
	index: number;
}

/** A workflow as n8n exports and imports it. */
export interface WorkflowDefinition {
	name: string;
	nodes: WorkflowNode[];
	/** Connections by source node name, then by kind, output and target. */
	connections: Record<string, Record<string, ConnectionTarget[][]>>;
	settings?: Record<string, unknown>;
	staticData?: unknown;
	pinData?: Record<string, unknown>;
}

/** A workflow as n8n keeps it. */
export interface Workflow extends WorkflowDefinition {
	id: string;
	active: boolean;
	versionId: string;
	/** The published version, which 1.x does not show. */
	activeVersionId?: string | null;
}

export type ExecutionStatus =
	'new' | 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'canceled' | 'unknown';

export interface ExecutionSummary {
	id: string;
	workflowId: string;
	/** "manual" for a run from the editor, "webhook" for a call from outside. */
	mode: string;
	status: ExecutionStatus;
	startedAt: string | null;
	stoppedAt: string | null;
}

export interface ExecutionFilter {
	workflowId?: string;
	status?: ExecutionStatus[];
}

export interface Item {
	json: Record<string, any>;
	pairedItem?: unknown;
	error?: ExecutionError;
}

interface ExecutionError {
	name?: string;
	message: string;
	description?: string | null;
	node?: { name: string };
	[detail: string]: unknown;
}

/** One run of one node. */
interface NodeRun {
	startTime: number;
	/** Milliseconds. */
	executionTime: number;
	executionStatus: ExecutionStatus;
	/** The items by output. */
	data?: { main: Array<Item[] | null> };
	/** Shown beside the output. */
	hints?: Array<{ message: string }>;
	error?: ExecutionError;
}

/** An execution with its nodes' output. */
export interface Execution extends ExecutionSummary {
	data: {
		resultData: {
			/** Runs by node name. A node in a loop has several. */
			runData: Record<string, NodeRun[]>;
			lastNodeExecuted?: string;
			error?: ExecutionError;
		};
	};
}
