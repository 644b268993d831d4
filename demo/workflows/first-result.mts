import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Credential, WorkflowDefinition } from '../../tools/n8n/client.mts';
import { ACTION, withCredential } from './parts.mts';

const EXAMPLE = join(import.meta.dirname, '..', '..', 'examples', 'first-result.json');

/** Nodes that the smoke test uses. */
export const INVITE_START = 'Start';
export const INVITE_NODE = 'Invite Yourself';

/** The fields that the user fills in before running the workflow. */
interface Person {
	email: string;
	firstName: string;
	lastName: string;
}

/** The example "First result", filled in except for the person. */
export async function firstResult(
	credential: Credential,
	jobId: string,
	person?: Person,
): Promise<WorkflowDefinition> {
	const example = JSON.parse(await readFile(EXAMPLE, 'utf8')) as WorkflowDefinition;
	const nodes = example.nodes.map((node) => {
		if (node.type !== ACTION) return node;
		const parameters = {
			...node.parameters,
			...(node.name === INVITE_NODE && { jobId, ...person }),
		};
		return { ...node, parameters, credentials: withCredential(credential) };
	});
	return { ...example, name: 'First result', nodes };
}
