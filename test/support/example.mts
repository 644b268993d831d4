import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type {
	Credential,
	N8nClient,
	Workflow,
	WorkflowDefinition,
} from '../../tools/n8n/client.mts';
import { withCredential } from '../../demo/workflows/parts.mts';

/** The example workflows, by the names of their files. */
export const EXAMPLES = [
	'invite-from-a-list',
	'result-to-decision',
	'nightly-follow-up',
	'ai-agent-invites',
] as const;

export type ExampleName = (typeof EXAMPLES)[number];

export function exampleFile(name: ExampleName): string {
	return join(import.meta.dirname, '..', '..', 'examples', `${name}.json`);
}

export async function readExample(name: ExampleName): Promise<WorkflowDefinition> {
	return JSON.parse(await readFile(exampleFile(name), 'utf8'));
}

/** Nodes that are called from outside. */
export const CALLED = /(Assessment|chat)Trigger$/;

/** What a user fills in after importing. */
interface FilledIn {
	/** By node name: the credential that is chosen there. */
	credentials: Record<string, Credential>;
	/** By node name: the parameters that are entered. */
	parameters?: Record<string, Record<string, unknown>>;
}

/** Imports an example, and fills in what it leaves to its user. */
export async function importExample(
	client: N8nClient,
	name: ExampleName,
	{ credentials, parameters = {} }: FilledIn,
): Promise<Workflow> {
	const example = await readExample(name);
	const names = example.nodes.map((node) => node.name);
	for (const filledIn of [...Object.keys(credentials), ...Object.keys(parameters)]) {
		if (!names.includes(filledIn)) throw new Error(`${name} has no node "${filledIn}"`);
	}
	const nodes = example.nodes.map((node) => ({
		...node,
		parameters: { ...node.parameters, ...parameters[node.name] },
		// The editor gives these an address of their own when it imports them.
		...(CALLED.test(node.type) && { webhookId: randomUUID() }),
		...(credentials[node.name] && { credentials: withCredential(credentials[node.name]) }),
	}));
	return await client.createWorkflow({ ...example, nodes });
}

/** The code of a node that gives these items. */
export function codeFor(items: object[]): { jsCode: string } {
	return { jsCode: `return ${JSON.stringify(items)}.map((json) => ({ json }));` };
}
