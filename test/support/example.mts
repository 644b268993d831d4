import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { withCredential } from '../../demo/workflows/parts.mts';
import type {
	Credential,
	N8nClient,
	Workflow,
	WorkflowDefinition,
	WorkflowNode,
} from '../../tools/n8n/client.mts';

/** The example workflows, by file name. */
export const EXAMPLES = [
	'first-result',
	'apply-and-be-invited',
	'invite-from-a-list',
	'import-a-spreadsheet',
	'result-to-decision',
	'catch-up',
	'monitor-the-trigger',
	'ai-agent-invites',
	'cv-to-invitation',
	'a-google-sheet',
] as const;

/** Examples that need n8n 2.x, whose agent asks for approval in the chat. */
export const ONLY_2X: readonly string[] = ['ai-agent-invites'];

export type ExampleName = (typeof EXAMPLES)[number];

/** The job to fill in where an example leaves it to its user. */
export const JOB = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';
export const OTHER_JOB = '6c1d9a42-7e35-4b8f-9d20-a4f8b3c7e516';

/** The table that the examples share. */
export const TABLE = 'Assessment Applications';

export const PACKAGE = 'n8n-nodes-candidate-assessment.';
export const NOTE = 'n8n-nodes-base.stickyNote';

/** Nodes with their own address, which the editor creates on import. */
export const HAS_ADDRESS = /\.(formTrigger|form|wait|chat|\w+AssessmentTrigger|chatTrigger)$/;

const DATA_TABLE = /\.dataTable(Tool)?$/;

export function exampleFile(name: ExampleName): string {
	return join(import.meta.dirname, '..', '..', 'examples', `${name}.json`);
}

export async function readExample(name: ExampleName): Promise<WorkflowDefinition> {
	return JSON.parse(await readFile(exampleFile(name), 'utf8'));
}

/** A user's choices and entries after importing. */
export interface FilledIn {
	/** The assessment service's credential, for the package's nodes. */
	credential: Credential;
	/** The webhook that the trigger registers. */
	webhookId: string;
	/** Other credentials, by node name. */
	credentials?: Record<string, Credential>;
	/** Parameters to enter, by node name. */
	parameters?: Record<string, Record<string, unknown>>;
	/** Replaces the table that all examples share, by its name, or by ID where n8n finds none by name. */
	table?: { name: string; id?: string };
	/** Removes the pinned sample data. */
	unpin?: boolean;
	/** Nodes to activate. */
	activate?: string[];
	/** Workflow settings, such as the time zone. */
	settings?: Record<string, unknown>;
}

/** Imports an example, and fills in what it leaves to its user. */
export async function importFilledIn(
	client: N8nClient,
	name: ExampleName,
	filledIn: FilledIn,
): Promise<Workflow> {
	const { credentials = {}, parameters = {}, activate = [] } = filledIn;
	const { pinData = {}, ...example } = await readExample(name);
	const names = example.nodes.map((node) => node.name);
	for (const node of [...Object.keys(credentials), ...Object.keys(parameters), ...activate]) {
		if (!names.includes(node)) throw new Error(`${name} has no node "${node}"`);
	}
	const nodes = example.nodes.map((node) => {
		const own = node.type.startsWith(PACKAGE) ? filledIn.credential : credentials[node.name];
		return {
			...node,
			parameters: {
				...node.parameters,
				...(node.parameters.jobId === '' && { jobId: JOB }),
				...(node.parameters.webhookId === '' && { webhookId: filledIn.webhookId }),
				...tableOf(node, filledIn.table),
				...parameters[node.name],
			},
			...(HAS_ADDRESS.test(node.type) && { webhookId: randomUUID() }),
			...(own && { credentials: withCredential(own) }),
			...(activate.includes(node.name) && { disabled: false }),
		};
	});
	return await client.createWorkflow({
		...example,
		nodes,
		pinData: filledIn.unpin ? {} : pinData,
		settings: { ...example.settings, ...filledIn.settings },
	});
}

function tableOf({ type, parameters }: WorkflowNode, table?: FilledIn['table']) {
	if (!table || !DATA_TABLE.test(type)) return {};
	if (parameters.resource === 'table') return { tableName: table.name };
	const { id, name } = table;
	return {
		dataTableId: {
			__rl: true,
			...(id ? { mode: 'id', value: id } : { mode: 'name', value: name }),
		},
	};
}
