import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { WorkflowDefinition } from '../../tools/n8n/client.mts';

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

export function exampleFile(name: ExampleName): string {
	return join(import.meta.dirname, '..', '..', 'examples', `${name}.json`);
}

export async function readExample(name: ExampleName): Promise<WorkflowDefinition> {
	return JSON.parse(await readFile(exampleFile(name), 'utf8'));
}
