import { randomUUID } from 'node:crypto';

import { withCredential } from '../../../demo/workflows/parts.mts';
import { itemsOf, type Execution, type WorkflowNode } from '../../../tools/n8n/client.mts';
import * as files from '../../support/example.mts';
import { tableForTest, type ApplicationsTable } from './applicationsTable.mts';
import { expect, test as base } from './fixtures.mts';
import { startMailServer, type MailServer } from './mailServer.mts';
import { says, timezone } from './rows.mts';

export { expect };

export const OFF = { disabled: true };
/** The team's addresses. */
const TEAM = { fromEmail: 'n8n@people.example', toEmail: 'hr@people.example' };
/** What others call. n8n would start the schedules of other examples. */
const CALLED = /\.(formTrigger|executeWorkflowTrigger|\w+AssessmentTrigger)$/;

/** An example in n8n, set up. */
interface Imported {
	id: string;
	/** The address of its form, if it has one. */
	form: string;
	/** Runs it from this node to its end. Expects success, or an error with these words. */
	run: (start: string, error?: RegExp) => Promise<Execution>;
	/** Waits until that many executions have ended or wait for somebody. Returns them, oldest first. */
	executions: (count: number) => Promise<Execution[]>;
	/** Has n8n retry an execution, and expects success. */
	retry: (executionId: string) => Promise<void>;
}

export const test = base.extend<{
	/** The data table of this test alone. */
	table: ApplicationsTable;
	mailServer: MailServer;
	/**
	 * Imports an example as a recruiter does, with credential and webhook of `service`, table, and mail account. Some
	 * nodes are changed, and none waits long for its next try. It's published if something calls it.
	 */
	example: (
		name: files.ExampleName,
		changes?: Record<string, Partial<WorkflowNode>>,
	) => Promise<Imported>;
}>({
	table: async ({ n8n: { client } }, use) => await use(await tableForTest(client)),

	mailServer: async ({ n8n: { client } }, use) => {
		const mailServer = await startMailServer(client);
		await use(mailServer);
		mailServer.close();
	},

	example: async ({ n8n, service, credential, table, mailServer }, use) => {
		const { client, baseUrl } = n8n;
		const published: string[] = [];
		const withEntries = (node: WorkflowNode, changes: Partial<WorkflowNode> = {}) => {
			const isEmail = node.type.endsWith('.emailSend');
			const account = isEmail ? mailServer.credential : credential;
			const isOurs = isEmail || node.type.startsWith(files.PACKAGE);
			const { jobId, webhookId, dataTableId, toEmail } = node.parameters;
			return {
				...node,
				waitBetweenTries: 1,
				...(files.HAS_ADDRESS.test(node.type) && { webhookId: randomUUID() }),
				...(isOurs && { credentials: withCredential(account), disabled: false }),
				...changes,
				parameters: {
					...node.parameters,
					...(jobId === '' && { jobId: files.JOB }),
					...(webhookId === '' && { webhookId: service.webhookId }),
					...(dataTableId !== undefined && { dataTableId: table.selected }),
					...(isEmail && { ...TEAM, toEmail: toEmail || TEAM.toEmail }),
					...changes.parameters,
				},
			};
		};
		await use(async (name, changes = {}) => {
			const read = await files.readExample(name);
			const nodes = read.nodes.map((node) => withEntries(node, changes[node.name]));
			const settings = { ...read.settings, timezone };
			const { id } = await client.createWorkflow({ ...read, nodes, settings });
			if (nodes.some(({ type }) => CALLED.test(type))) {
				await client.publish(id);
				published.push(id);
			}
			const executions = async (count: number) => {
				const list = async () => (await client.allExecutions(id)).reverse();
				const atRest = async () =>
					(await list()).filter(({ status }) => !/^(new|running)$/.test(status)).length;
				await expect.poll(atRest, { timeout: 90_000 }).toBeGreaterThanOrEqual(count);
				return await Promise.all((await list()).map((each) => client.getExecution(each.id)));
			};
			return {
				id,
				executions,
				form: `${baseUrl}/form/${nodes.find(({ type }) => /formTrigger$/.test(type))?.webhookId}`,
				run: async (start, error) => {
					const execution = await client.runToEnd(id, start);
					expect([start, failureOf(execution)]).toEqual([start, error && says(error)]);
					return execution;
				},
				retry: async (executionId) => {
					const { length } = await client.allExecutions(id);
					const path = `/rest/executions/${executionId}/retry`;
					await client.request('POST', path, { loadWorkflow: false });
					expect(failureOf((await executions(length + 1)).at(-1)!)).toBe(undefined);
				},
			};
		});
		for (const id of published) await client.unpublish(id);
	},
});

export const failureOf = ({ data }: Execution) => data.resultData.error?.message;

/** Has *Catch up* hand over results to this workflow. */
export const handOver = (value: string) => ({
	'Hand Over The Result': { parameters: { workflowId: { __rl: true, mode: 'id', value } } },
});

/** The data of a node's output items. */
export const jsonOf = (execution: Execution, node: string) =>
	itemsOf(execution, node).map(({ json }) => json);
