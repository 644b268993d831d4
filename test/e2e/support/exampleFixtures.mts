import { randomUUID } from 'node:crypto';
import { buffer as bufferOf } from 'node:stream/consumers';

import type { Page } from '@playwright/test';
import PdfDocument from 'pdfkit';

import type { InvitationWithLinks, PartnerService } from '../../../mock-service/service.mts';
import {
	itemsOf,
	type Credential,
	type Execution,
	type ExecutionStatus,
	type N8nClient,
	type Workflow,
	type WorkflowNode,
} from '../../../tools/n8n/client.mts';
import { withCredential } from '../../../demo/workflows/parts.mts';
import {
	HAS_ADDRESS,
	JOB,
	PACKAGE,
	readExample,
	type ExampleName,
} from '../../support/example.mts';
import { tableForTest, type ApplicationsTable } from './applicationsTable.mts';
import { invitationOf, inviteAt } from '../../support/invite.mts';
import type { ListFile } from '../../support/lists.mts';
import { startMailServer, type MailServer } from './mailServer.mts';
import { LOS_ANGELES } from './timeZones.mts';
import { fillIn } from './visitor.mts';
import { expect, test as base } from './fixtures.mts';

export { expect };
export { invitationOf, PERSON } from '../../support/invite.mts';
export type { Row } from './applicationsTable.mts';

/** A user's choices and entries after importing an example, besides those every example needs. */
interface Use {
	/** Email nodes to activate (`true`: all), which send with `mailServer`. */
	mails?: string[] | true;
	/** The model of *OpenAI Chat Model*. */
	model?: { credential: Credential };
	/** The workflow that *Hand Over The Result* calls. */
	handsOverTo?: string;
	/** The workflow that *Invite Now* calls. */
	invitesWith?: string;
	/** Other nodes to activate. */
	activate?: string[];
	/** Other credentials, by node name. */
	credentials?: Record<string, Credential>;
	/** Other parameters, by node name. */
	parameters?: Record<string, Record<string, unknown>>;
	/** Workflow settings, such as the time zone. */
	settings?: Record<string, unknown>;
	/** Removes the pinned sample data. */
	unpin?: boolean;
	isPublished?: boolean;
}

/** An example in n8n. */
export interface Imported extends Workflow {
	/** The address of its form, if it has a form and is published. */
	form: string;
}

export const test = base.extend<{
	/** The data table of this test alone. */
	applications: ApplicationsTable;
	/** Imports an example with the credential and webhook of `service`, and sets up the table of `applications`. */
	importExample: (name: ExampleName, how?: Use) => Promise<Imported>;
	mailServer: MailServer;
}>({
	applications: async ({ n8n: { client } }, use) => await use(await tableForTest(client)),

	importExample: async ({ n8n, service, credential, applications, mailServer }, use) => {
		const { client } = n8n;
		const imported: Workflow[] = [];
		await use(async (name, { mails = [], activate = [], isPublished, ...how } = {}) => {
			const parameters: Record<string, object> = {
				...(how.handsOverTo && { 'Hand Over The Result': calls(how.handsOverTo) }),
				...(how.invitesWith && { 'Invite Now': calls(how.invitesWith) }),
				...how.parameters,
			};
			const credentials: Record<string, Credential> = {
				...(how.model && { 'OpenAI Chat Model': how.model.credential }),
				...how.credentials,
			};
			const change = (node: WorkflowNode) => {
				const isMailed = mails === true ? EMAIL.test(node.type) : mails.includes(node.name);
				const sent = isMailed ? sendsWith(mailServer, node) : node;
				const own = node.type.startsWith(PACKAGE) ? credential : credentials[node.name];
				return {
					...sent,
					parameters: {
						...sent.parameters,
						...(node.parameters.jobId === '' && { jobId: JOB }),
						...(node.parameters.webhookId === '' && { webhookId: service.webhookId }),
						...parameters[node.name],
					},
					...(own && { credentials: withCredential(own) }),
					...(activate.includes(node.name) && { disabled: false }),
				};
			};
			const workflow = await importAsItIs(client, name, applications.table, change, how);
			imported.push(workflow);
			const changed = [...activate, ...Object.keys({ ...parameters, ...credentials })];
			const names = workflow.nodes.map((node) => node.name);
			expect(names).toEqual(expect.arrayContaining(changed));
			await applications.setUp(workflow);
			if (isPublished) await client.publish(workflow.id);
			const trigger = workflow.nodes.find(({ type }) => type.endsWith('.formTrigger'));
			return { ...workflow, form: `${n8n.baseUrl}/form/${trigger?.webhookId}` };
		});
		for (const { id } of imported) {
			if ((await client.getWorkflow(id)).active) await client.unpublish(id);
		}
	},

	mailServer: async ({ n8n: { client } }, use) => {
		const mailServer = await startMailServer(client);
		await use(mailServer);
		mailServer.close();
	},
});

/** Imports an example, as n8n's editor does, with a table of its own, and with these changes. */
export async function importAsItIs(
	client: N8nClient,
	name: ExampleName,
	table: ApplicationsTable['table'],
	change: (node: WorkflowNode) => Partial<WorkflowNode> = () => ({}),
	{ settings, unpin }: Use = {},
): Promise<Workflow> {
	const example = await readExample(name);
	const value = { __rl: true, mode: table.id ? 'id' : 'name', value: table.id ?? table.name };
	const nodes = example.nodes.map((node) => {
		const parameters = {
			...node.parameters,
			...('dataTableId' in node.parameters && { dataTableId: value }),
			...('tableName' in node.parameters && { tableName: table.name }),
		};
		const address = HAS_ADDRESS.test(node.type) && { webhookId: randomUUID() };
		const imported = { ...node, parameters, ...address };
		return { ...imported, ...change(imported) };
	});
	return await client.createWorkflow({
		...{ ...example, nodes, settings: { ...example.settings, ...settings } },
		...(unpin && { pinData: {} }),
	});
}

export const EMAIL = /\.emailSend$/;

/** A user's entries that make an email node send with this server: if not to a candidate, to `TEAM`. */
export function sendsWith({ credential }: MailServer, { parameters }: WorkflowNode) {
	const toEmail = parameters.toEmail || TEAM.toEmail;
	return {
		disabled: false,
		credentials: withCredential(credential),
		parameters: { ...parameters, ...TEAM, toEmail },
	};
}

/** A user's choice of the workflow that a node calls. */
export const calls = (value: string) => ({ workflowId: { __rl: true, mode: 'list', value } });

/** Runs a workflow until it ends, or waits. */
export async function runUntilItRests(
	client: N8nClient,
	workflowId: string,
	start: string,
): Promise<Execution> {
	const id = await client.run(workflowId, start);
	const execution = async () => await client.getExecution(id);
	await expect
		.poll(async () => (await execution()).status, { timeout: 60_000 })
		.not.toMatch(/running|new/);
	return await execution();
}

/** Waits until a workflow has executions with these statuses, newest first. Returns them with data. */
export async function waitForStatuses(
	client: N8nClient,
	workflowId: string,
	statuses: ExecutionStatus[],
): Promise<Execution[]> {
	const list = async () => await client.allExecutions(workflowId);
	await expect
		.poll(async () => (await list()).map(({ status }) => status), { timeout: 60_000 })
		.toEqual(statuses);
	return await Promise.all((await list()).map(async ({ id }) => await client.getExecution(id)));
}

/** The data of a node's output items. */
export function jsonOf(execution: Execution, node: string, output = 0): Array<Record<string, any>> {
	return itemsOf(execution, node, output).map(({ json }) => json);
}

export function nodesRun({ data }: Execution): string[] {
	return Object.keys(data.resultData.runData);
}

/** Invites a candidate without n8n, who finishes. */
export async function finishOne(service: PartnerService): Promise<InvitationWithLinks> {
	const { invitation_code, ext_reference_id } = await inviteAt(service);
	expect((await service.finish(invitation_code))?.status).toBe(200);
	return invitationOf(service, ext_reference_id);
}

/** Addresses of a mail to the team. */
export const TEAM = { fromEmail: 'n8n@people.example', toEmail: 'hr@people.example' };

/** Shortens the wait. */
export const SECONDS = {
	'Wait Ten Minutes': { resume: 'timeInterval', amount: 1, unit: 'seconds' },
};

/** A time zone whose days differ from UTC's. */
export const IN_LOS_ANGELES = { settings: { timezone: LOS_ANGELES } };

/** Applies without a browser as Inês Carvalho, unless other names are given. Resolves once the run has ended. */
export function applicant(client: N8nClient, { id, form }: Imported) {
	let times = 0;
	return async (email: string, [first = 'Inês', last = 'Carvalho']: string[] = [], cv?: File) => {
		const page = await fillIn(form, [first, last, email, ...(cv ? [cv] : [])]);
		const [ended] = await client.waitForExecutions(id, ++times);
		const execution = await client.waitForExecution(ended.id);
		const { status, data } = execution;
		return { page, status, execution, error: data.resultData.error?.message };
	};
}

/** A CV as a PDF. */
export async function cv(text = 'Support at Example Ltd'): Promise<File> {
	const document = new PdfDocument().text(text);
	document.end();
	const content = new Uint8Array(await bufferOf(document));
	return new File([content], 'cv.pdf', { type: 'application/pdf' });
}

/** Uploads a list at the page of *Import a spreadsheet*. */
export async function uploadList(
	page: Page,
	form: string,
	list: ListFile | string,
	what = 'Add everybody, and invite them',
	job = JOB,
): Promise<void> {
	// Doesn't wait for n8n's font, which is on another server.
	await page.goto(form, { waitUntil: 'domcontentloaded' });
	await page.locator('input[type=file]').setInputFiles(list);
	await page.getByLabel('Job ID').fill(job);
	await page.getByLabel('What To Do').selectOption(what);
	await page.getByRole('button', { name: 'Upload' }).click();
}

/** The form at which an execution waits: its page, and a function that submits it. */
export async function waitingForm({ id, data }: Execution, baseUrl: string) {
	const [run] = Object.values(data.resultData.runData).at(-1)!;
	const { metadata } = run as { metadata?: { resumeFormUrl?: string } };
	// In 1.x, the address has no signature.
	const address = metadata?.resumeFormUrl ?? `${baseUrl}/form-waiting/${id}`;
	const page = await (await fetch(address)).text();
	const answer = async (decision: string) => {
		const body = new FormData();
		body.set('field-0', decision);
		await fetch(address, { method: 'POST', body });
	};
	return { page, answer };
}

export function roleFit({ scores }: InvitationWithLinks): number {
	return scores.find(({ score_type }) => score_type === 'role_fit')!.score_value;
}
