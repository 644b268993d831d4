import { randomUUID } from 'node:crypto';

import type { InvitationWithLinks } from '../../../mock-service/service.mts';
import { withCredential } from '../../../demo/workflows/parts.mts';
import {
	itemsOf,
	type Credential,
	type Execution,
	type N8nClient,
	type Workflow,
	type WorkflowNode,
} from '../../../tools/n8n/client.mts';
import {
	HAS_ADDRESS,
	JOB,
	PACKAGE,
	readExample,
	type ExampleName,
} from '../../support/example.mts';
import { PERSON } from '../../support/invite.mts';
import { tableForTest, type ApplicationsTable, type Row } from './applicationsTable.mts';
import { startMailServer, type MailServer } from './mailServer.mts';
import { expect, test as base } from './fixtures.mts';

export { expect, JOB, PERSON };
export { invitationOf } from '../../support/invite.mts';
export type { Row } from './applicationsTable.mts';

/** A user's choices and entries after importing an example, besides those every example needs. */
interface Use {
	/** Nodes that stay, or become, deactivated. */
	off?: string[];
	/** Other nodes to activate. The email nodes are activated, and send with `mailServer`. */
	activate?: string[];
	/** Credentials by node name, besides our own. */
	credentials?: Record<string, Credential>;
	/** Changed parameters, by node name. */
	parameters?: Record<string, object>;
	/** Isn't published: n8n would start its schedules. */
	isDraft?: boolean;
}

/** An example in n8n, set up. */
export interface Imported extends Workflow {
	/** The address of its form, if it has one. */
	form: string;
	/** Runs it from this node to its end, and returns the execution. Expects success, or an error with these words. */
	run: (start: string, error?: RegExp) => Promise<Execution>;
	/** Waits until that many executions have ended or wait for somebody. Returns them, oldest first. */
	executions: (count: number) => Promise<Execution[]>;
	/** Has n8n retry a failed execution, and waits for its end. */
	retry: (failed: Execution) => Promise<void>;
}

/** The team's addresses. */
export const TEAM = { fromEmail: 'n8n@people.example', toEmail: 'hr@people.example' };

/** A time zone whose days differ from UTC's. */
export const ZONE = 'America/Los_Angeles';

export const test = base.extend<{
	/** The data table of this test alone. */
	applications: ApplicationsTable;
	/** Imports an example as a recruiter does, with credential and webhook of `service`, table, and mail account. */
	importExample: (name: ExampleName, use?: Use) => Promise<Imported>;
	mailServer: MailServer;
}>({
	applications: async ({ n8n: { client } }, use) => await use(await tableForTest(client)),

	importExample: async ({ n8n, service, credential, applications, mailServer }, use) => {
		const { client } = n8n;
		const published: string[] = [];
		await use(async (name, { off = [], activate = [], isDraft, ...how } = {}) => {
			const example = await readExample(name);
			const nodes = example.nodes.map((node): WorkflowNode => {
				const isEmail = node.type.endsWith('.emailSend');
				const own = node.type.startsWith(PACKAGE) ? credential : how.credentials?.[node.name];
				const account = isEmail ? mailServer.credential : own;
				const { jobId, webhookId, dataTableId, tableName, toEmail } = node.parameters;
				const parameters = {
					...node.parameters,
					...(jobId === '' && { jobId: JOB }),
					...(webhookId === '' && { webhookId: service.webhookId }),
					...(dataTableId !== undefined && { dataTableId: applications.table }),
					...(tableName !== undefined && { tableName: applications.name }),
					...(isEmail && { ...TEAM, toEmail: toEmail || TEAM.toEmail }),
					...how.parameters?.[node.name],
				};
				return {
					...{ ...node, parameters },
					...(HAS_ADDRESS.test(node.type) && { webhookId: randomUUID() }),
					...(account && { credentials: withCredential(account) }),
					...((isEmail || activate.includes(node.name)) && { disabled: false }),
					...(off.includes(node.name) && { disabled: true }),
				};
			});
			const settings = { ...example.settings, timezone: ZONE };
			const workflow = await client.createWorkflow({ ...example, nodes, settings });
			const { id } = workflow;
			await applications.setUp(workflow);
			if (!isDraft) await client.publish(id);
			if (!isDraft) published.push(id);
			const form = nodes.find(({ type }) => type.endsWith('.formTrigger'))?.webhookId;
			return {
				...{ ...workflow, form: `${n8n.baseUrl}/form/${form}` },
				run: async (start, error) => {
					const execution = await client.runToEnd(id, start);
					const message = execution.data.resultData.error?.message;
					expect([start, message]).toEqual([start, error && expect.stringMatching(error)]);
					return execution;
				},
				executions: async (count) => await atRest(client, id, count),
				retry: async (failed) => {
					const before = await client.allExecutions(id);
					const path = `/rest/executions/${failed.id}/retry`;
					await client.request('POST', path, { loadWorkflow: false });
					const all = await atRest(client, id, before.length + 1);
					expect(all.at(-1)?.data.resultData.error?.message).toBe(undefined);
				},
			};
		});
		for (const id of published) await client.unpublish(id);
	},

	mailServer: async ({ n8n: { client } }, use) => {
		const mailServer = await startMailServer(client);
		await use(mailServer);
		mailServer.close();
	},
});

async function atRest(client: N8nClient, id: string, count: number): Promise<Execution[]> {
	const list = async () => (await client.allExecutions(id)).reverse();
	const atWork = /^(new|running)$/;
	const rest = async () => (await list()).filter(({ status }) => !atWork.test(status)).length;
	await expect.poll(rest, { timeout: 90_000 }).toBeGreaterThanOrEqual(count);
	return await Promise.all((await list()).map(async (each) => await client.getExecution(each.id)));
}

/** A new row, with an address of its own. */
export const rowOf = (application_id: string, more: Row = {}): Row => ({
	...{
		...PERSON,
		application_id,
		job_id: JOB,
		email: `${application_id.toLowerCase()}@people.example`,
	},
	...more,
});

/** A row as *Invite from a list* leaves it. */
export const invitedRow = (
	{ invitation_link, invitation_expired_at: open_until }: InvitationWithLinks,
	more: Row = {},
): Row =>
	rowOf('APP-1', { status: 'invited', invitation_link, open_until, link_sent_at: 'then', ...more });

/** The data of a node's output items. */
export const jsonOf = (execution: Execution, node: string, output = 0) =>
	itemsOf(execution, node, output).map(({ json }) => json);

/** The role fit in an invitation's result. */
export const roleFit = ({ scores }: InvitationWithLinks): number =>
	scores.find(({ score_type }) => score_type === 'role_fit')!.score_value;
