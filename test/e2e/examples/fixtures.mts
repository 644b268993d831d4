import { randomUUID } from 'node:crypto';

import type { Page } from '@playwright/test';

import type { InvitationWithLinks, PartnerService } from '../../../mock-service/service.mts';
import {
	itemsOf,
	type Execution,
	type ExecutionStatus,
	type N8nClient,
	type Workflow,
} from '../../../tools/n8n/client.mts';
import {
	importExample,
	readExample,
	TABLE,
	type ExampleName,
	type FilledIn,
} from '../../support/example.mts';
import { takeScreenshot } from '../../support/screenshots.mts';
import { expect, test as base } from '../fixtures.mts';

export { expect };

/** A row of the table that the examples share, as far as a test looks at it. */
export interface Row {
	application_id: string;
	first_name?: string | null;
	last_name?: string | null;
	email?: string | null;
	status: string;
	invitation_link?: string | null;
	open_until?: string | null;
	problem?: string | null;
	reminded_at?: string | null;
	role_fit?: number | null;
	report_link?: string | null;
	decision_form?: string | null;
	decision?: string | null;
}

type Import = (name: ExampleName, filledIn?: Partial<FilledIn>) => Promise<Workflow>;

export const test = base.extend<{
	/** The data table of this test alone. */
	applications: ApplicationsTable;
	/** Imports an example with the credential of `service` and the table of `applications`. */
	importFile: Import;
	/** The same, with the example's table set up and, where it brings some, its sample rows in it. */
	importAndSetUp: Import;
}>({
	applications: async ({ n8n: { client } }, use) => {
		const applications = await ApplicationsTable.forTest(client);
		await use(applications);
		await applications.remove();
	},

	importFile: async ({ n8n: { client }, credential, applications }, use) => {
		const published: Array<() => Promise<void>> = [];
		await use(async (name, filledIn) => {
			const { table } = applications;
			const workflow = await importExample(client, name, { credential, table, ...filledIn });
			published.push(async () => {
				if ((await client.getWorkflow(workflow.id)).active) await client.unpublish(workflow.id);
			});
			return workflow;
		});
		for (const unpublish of published) await unpublish();
	},

	importAndSetUp: async ({ importFile, applications }, use) =>
		await use(async (name, filledIn) => {
			const workflow = await importFile(name, filledIn);
			await applications.setUp(workflow.id, name);
			return workflow;
		}),
});

/** n8n 1.x has no node that makes a table, and finds none by its name: there a user does both by hand. */
class ApplicationsTable {
	readonly #client: N8nClient;
	readonly #path: string;
	readonly #name: string;
	#id?: string;

	private constructor(client: N8nClient, path: string, name: string) {
		this.#client = client;
		this.#path = path;
		this.#name = name;
	}

	static async forTest(client: N8nClient): Promise<ApplicationsTable> {
		const project = await client.request<{ id: string }>('GET', '/rest/projects/personal');
		const path = `/rest/projects/${project.id}/data-tables`;
		const name = `${TABLE} ${randomUUID().slice(0, 8)}`;
		const applications = new ApplicationsTable(client, path, name);
		if (client.isVersion1) await applications.#create();
		return applications;
	}

	/** What is chosen in the nodes of an example. */
	get table(): NonNullable<FilledIn['table']> {
		return { name: this.#name, id: this.#id };
	}

	/** Runs an example's "Set Up Once", or does by hand what it does. */
	async setUp(workflowId: string, name: ExampleName): Promise<void> {
		if (!this.#client.isVersion1) {
			const execution = await this.#client.runToEnd(workflowId, 'Set Up Once');
			expect(execution.status).toBe('success');
			// What a test then counts is the same for both versions.
			await this.#client.request('POST', '/rest/executions/delete', { ids: [execution.id] });
			return;
		}
		const { pinData } = await readExample(name);
		const samples = (pinData?.['Sample Applicants'] ?? []) as Array<{ json: Row }>;
		await this.add(samples.map(({ json }) => json));
	}

	async add(rows: Row[]): Promise<void> {
		const path = `${this.#path}/${await this.#findId()}/insert`;
		await this.#client.request('POST', path, { data: rows, returnType: 'count' });
	}

	/** By application ID. */
	async rows(): Promise<Record<string, Row>> {
		const path = `${this.#path}/${await this.#findId()}/rows?take=100`;
		const { data } = await this.#client.request<{ data: Row[] }>('GET', path);
		return Object.fromEntries(data.map((row) => [row.application_id, row]));
	}

	async remove(): Promise<void> {
		const id = await this.#findId().catch(() => undefined);
		if (id) await this.#client.request('DELETE', `${this.#path}/${id}`);
	}

	/** The columns are those that the examples create. */
	async #create(): Promise<void> {
		const { nodes } = await readExample('invite-from-a-list');
		const create = nodes.find(({ name }) => name === 'Create The Table');
		const { column: columns } = create?.parameters.columns as { column: object[] };
		await this.#client.request('POST', this.#path, { name: this.#name, columns });
		this.#id = await this.#findId();
	}

	async #findId(): Promise<string> {
		if (this.#id) return this.#id;
		const filter = encodeURIComponent(JSON.stringify({ name: this.#name.toLowerCase() }));
		const path = `${this.#path}?filter=${filter}`;
		const { data } = await this.#client.request<{ data: Array<{ id: string }> }>('GET', path);
		if (!data[0]) throw new Error(`There is no table "${this.#name}"`);
		return data[0].id;
	}
}

/** Waits until a workflow has executions with these statuses, the newest first; gives them with data. */
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

/** Runs a workflow up to a node that waits for somebody. */
export async function runUntilWaiting(
	client: N8nClient,
	workflowId: string,
	trigger: string,
): Promise<Execution> {
	const id = await client.run(workflowId, trigger);
	await expect
		.poll(async () => (await client.getExecution(id)).status, { timeout: 60_000 })
		.toBe('waiting');
	return await client.getExecution(id);
}

/** The data of the items that a node gave. */
export function jsonOf(execution: Execution, node: string, output = 0): Array<Record<string, any>> {
	return itemsOf(execution, node, output).map(({ json }) => json);
}

/** The names of the nodes that ran. */
export function nodesRun({ data }: Execution): string[] {
	return Object.keys(data.resultData.runData);
}

/** Opens a page of n8n's, which would like to have a font from elsewhere. */
export async function openForm(page: Page, url: string): Promise<void> {
	await page.goto(url, { waitUntil: 'domcontentloaded' });
}

/** The form at which a node waits; 1.x has no signature in its address. */
export function waitingForm({ id, data }: Execution, node: string, baseUrl: string): string {
	const [run] = data.resultData.runData[node] ?? [];
	const { metadata } = (run ?? {}) as { metadata?: { resumeFormUrl?: string } };
	return metadata?.resumeFormUrl ?? `${baseUrl}/form-waiting/${id}`;
}

/** Decides about a candidate in the form that *Result To Decision* waits for. */
export async function decide(page: Page, formUrl: string, decision: string): Promise<void> {
	await openForm(page, formUrl);
	await page.getByLabel('Decision').selectOption(decision);
	await takeScreenshot(page, 'example-decision-form');
	await page.getByRole('button', { name: 'Submit' }).click();
	await expect(page.getByText('Your response has been recorded')).toBeVisible();
}

export function roleFit({ scores }: InvitationWithLinks): number {
	const score = scores.find(({ score_type }) => score_type === 'role_fit');
	if (!score) throw new Error('There is no role fit');
	return score.score_value;
}

/** The invitation as the service has it now. */
export function invitationOf(service: PartnerService, reference: string): InvitationWithLinks {
	const found = service.invitations.find((one) => one.ext_reference_id === reference);
	if (!found) throw new Error(`Nobody was invited for ${reference}`);
	return found;
}
