import { withCredential } from '../../../demo/workflows/parts.mts';
import type { Credential, N8nClient, Workflow, WorkflowNode } from '../../../tools/n8n/client.mts';
import { JOB, type ExampleName } from '../../support/example.mts';
import type { ApplicationsTable } from './applicationsTable.mts';
import { expect, importAsItIs } from './exampleFixtures.mts';
import { editNodes } from './workflows.mts';

/** A workflow that is being set up. */
export interface SetUp {
	workflow: Workflow;
	/** Changes each node as given, and saves. */
	edit: (change: (node: WorkflowNode) => object | undefined) => Promise<void>;
}

/** The action for a step of the note Setup with these words. */
export type Step = [words: RegExp, todo: (setUp: SetUp, step: string) => Promise<unknown>];

/** Imports an unchanged example and follows its Setup, step by step, doing nothing else. */
export async function followSetup(
	client: N8nClient,
	name: ExampleName,
	given: { credential: Credential; webhookId: string; table: ApplicationsTable['table'] },
	own: Step[],
): Promise<SetUp> {
	const setUp: SetUp = {
		workflow: await importAsItIs(client, name, given.table),
		edit: async (change) => {
			setUp.workflow = await editNodes(client, setUp.workflow.id, change);
		},
	};
	const enter = (field: string, value: string) => async () =>
		await setUp.edit(({ parameters }) =>
			parameters[field] === '' ? { parameters: { ...parameters, [field]: value } } : undefined,
		);
	const credentials = withCredential(given.credential);
	const steps: Step[] = [
		...own,
		[
			/Candidate Assessment credential in/,
			async (_, step) =>
				await setUp.edit((node) =>
					step.includes(`**${node.name}**`) ? { credentials } : undefined,
				),
		],
		[/\*\*Job ID\*\*/, enter('jobId', JOB)],
		[/\*\*Webhook ID\*\*/, enter('webhookId', given.webhookId)],
		[/(^\d|\.) Publish[.:]/, async () => await client.publish(setUp.workflow.id)],
	];
	const note = setUp.workflow.nodes.find((node) => node.name === 'Setup')!;
	for (const step of String(note.parameters.content)
		.split(/\n(?=\d\. )/)
		.slice(1)) {
		const found = steps.filter(([words]) => words.test(step));
		expect(found, step).not.toEqual([]);
		for (const [, todo] of found) await todo(setUp, step);
	}
	return setUp;
}
