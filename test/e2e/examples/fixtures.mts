import type { Page } from '@playwright/test';
import { DateTime } from 'luxon';

import type { InvitationWithLinks, PartnerService } from '../../../mock-service/service.mts';
import {
	itemsOf,
	type Execution,
	type ExecutionStatus,
	type N8nClient,
	type Workflow,
} from '../../../tools/n8n/client.mts';
import { importFilledIn, type ExampleName, type FilledIn } from '../../support/example.mts';
import { tableForTest, type ApplicationsTable } from '../../support/applicationsTable.mts';
import { invitationOf, inviteAt } from '../../support/invite.mts';
import { MailServer } from '../../support/mailServer.mts';
import { expect, test as base } from '../fixtures.mts';

export { expect };
export { invitationOf, PERSON } from '../../support/invite.mts';
export type { Row } from '../../support/applicationsTable.mts';

export const test = base.extend<{
	/** The data table of this test alone. */
	applications: ApplicationsTable;
	/** Imports an example with the credential and webhook of `service`, and sets up the table of `applications`. */
	importExample: (name: ExampleName, filledIn?: Partial<FilledIn>) => Promise<Workflow>;
	mailServer: MailServer;
}>({
	applications: async ({ n8n: { client } }, use) => await use(await tableForTest(client)),

	importExample: async ({ n8n: { client }, service, credential, applications }, use) => {
		const imported: Workflow[] = [];
		await use(async (name, filledIn) => {
			const given = { credential, webhookId: service.webhookId, table: applications.table };
			const workflow = await importFilledIn(client, name, { ...given, ...filledIn });
			imported.push(workflow);
			await applications.setUp(workflow);
			return workflow;
		});
		for (const { id } of imported) {
			if ((await client.getWorkflow(id)).active) await client.unpublish(id);
		}
	},

	mailServer: async ({}, use) => {
		const mailServer = new MailServer();
		await mailServer.start();
		await use(mailServer);
		mailServer.close();
	},
});

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

/** The data of the items that a node gave. */
export function jsonOf(execution: Execution, node: string, output = 0): Array<Record<string, any>> {
	return itemsOf(execution, node, output).map(({ json }) => json);
}

export function nodesRun({ data }: Execution): string[] {
	return Object.keys(data.resultData.runData);
}

/** Somebody is invited without n8n, and finishes. */
export async function finishOne(
	service: PartnerService,
	job?: string,
): Promise<InvitationWithLinks> {
	const { invitation_code, ext_reference_id } = await inviteAt(service, job);
	expect((await service.finish(invitation_code))?.status).toBe(200);
	return invitationOf(service, ext_reference_id);
}

/** Opens a page of n8n's, which would like to have a font from elsewhere. */
export async function openForm(page: Page, url: string): Promise<void> {
	await page.goto(url, { waitUntil: 'domcontentloaded' });
}

/** Addresses of a mail to the team. */
export const TEAM = { fromEmail: 'n8n@people.example', toEmail: 'hr@people.example' };

/** What a user shortens so as not to wait. */
export const SECONDS = {
	'Wait Ten Minutes': { resume: 'timeInterval', amount: 1, unit: 'seconds' },
};

/** Somebody finishes, and the first looks still show an open invitation, each of which is told of. */
export async function finishLate(
	service: PartnerService,
	onLook: () => void,
	times = 3,
	job?: string,
): Promise<InvitationWithLinks> {
	const invitation = await inviteAt(service, job);
	const open = { ...invitation, status: 'invited', scores: [], additional_scores: [] };
	const when = () => {
		onLook();
		return true;
	};
	const body = { data: { ...open, report_pdf_link: null, report_profile_link: null }, meta: null };
	service.faults.inject({ route: 'getCandidate', status: 200, times, body, when });
	await service.finish(invitation.invitation_code);
	return invitationOf(service, invitation.ext_reference_id);
}

/** The last day of an invitation in Los Angeles, which is the day before that in UTC. */
export function lastDay({ invitation_expired_at }: InvitationWithLinks): string {
	const zone = 'America/Los_Angeles';
	return DateTime.fromISO(invitation_expired_at, { zone }).toFormat('MMMM d');
}

export function formOf(baseUrl: string, { nodes }: Workflow): string {
	return `${baseUrl}/form/${nodes.find(({ type }) => type.endsWith('.formTrigger'))?.webhookId}`;
}

/** Applies as Inês Carvalho, unless another name is given, with a CV where the form asks for one. */
export async function apply(
	page: Page,
	form: string,
	email: string,
	{ cv, firstName = 'Inês', lastName = 'Carvalho' }: Partial<Applicant> = {},
): Promise<void> {
	await openForm(page, form);
	await page.getByLabel('First Name').fill(firstName);
	await page.getByLabel('Last Name').fill(lastName);
	await page.getByLabel('Email').fill(email);
	if (cv) {
		const file = { name: 'cv.pdf', mimeType: 'application/pdf', buffer: cv };
		await page.locator('input[type=file]').setInputFiles(file);
	}
	await page.getByRole('button', { name: 'Apply' }).click();
}

interface Applicant {
	firstName: string;
	lastName: string;
	cv: Buffer;
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
	await page.getByRole('button', { name: 'Submit' }).click();
	await expect(page.getByText('Your response has been recorded')).toBeVisible();
}

export function roleFit({ scores }: InvitationWithLinks): number {
	const score = scores.find(({ score_type }) => score_type === 'role_fit');
	if (!score) throw new Error('There is no role fit');
	return score.score_value;
}
