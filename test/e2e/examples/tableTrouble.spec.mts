import { JOB } from '../../support/example.mts';
import type { ApplicationsTable } from '../support/applicationsTable.mts';
import { SENT, test as base } from '../support/eachWay.mts';
import { expect, invitationOf, type Row } from '../support/exampleFixtures.mts';
import { fillIn } from '../support/visitor.mts';

const LIMIT = 5_000_000;
const MAILED = { mails: ['Send The Link'] };

base.beforeAll(async ({ n8n }) => {
	await n8n.restart({
		N8N_DATA_TABLES_MAX_SIZE_BYTES: `${LIMIT}`,
		N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
	});
});

const LIST = ['Ada', 'Ben', 'Cem'].map((name): Row => {
	const email = `${name.toLowerCase()}@people.example`;
	return { application_id: name, first_name: name, last_name: 'Example', email, job_id: JOB };
});
const EMAIL = 'ines.carvalho@example.com';
const INES = { application_id: EMAIL, email: EMAIL, first_name: 'Inês', job_id: JOB };

/** Each begins, and returns its undo. */
const TROUBLES = {
	'is full': async (table: ApplicationsTable) => await table.fillUp(LIMIT + 100_000),
	'is missing': async (table: ApplicationsTable) => await table.remove(),
};

const test = base.extend<{
	/** Retries a run that has invited and mailed these people, but failed: now it only writes their rows. */
	retry: (
		id: string,
		executionId: string,
		people: readonly Row[],
		isMailed?: boolean,
	) => Promise<void>;
}>({
	retry: async ({ n8n: { client }, service, applications, mailServer }, use) =>
		await use(async (workflowId, executionId, people, isMailed = true) => {
			const rows = people.map((row): Row => {
				const { invitation_link } = invitationOf(service, row.application_id);
				return { ...row, ...(isMailed ? SENT : { link_sent_at: '' }), invitation_link };
			});
			const mails = rows
				.filter(() => isMailed)
				.map(({ email, invitation_link }) => {
					return { to: email, text: expect.stringContaining(`: ${invitation_link}\r\n`) };
				});
			expect(mailServer.mails).toEqual(mails);
			const { length } = await client.allExecutions(workflowId);
			await client.request('POST', `/rest/executions/${executionId}/retry`, { loadWorkflow: true });
			const [retried] = await client.waitForExecutions(workflowId, length + 1);
			expect(retried.status).toBe('success');
			expect(mailServer.mails).toEqual(mails);
			expect(service.invitations).toHaveLength(people.length);
			expect(await applications.all()).toMatchObject(rows);
		}),
});

for (const [trouble, begin] of Object.entries(TROUBLES))
	test(`apply-and-be-invited: if the table ${trouble}, the link is on the page, and a retry writes the row`, async ({
		n8n: { client },
		applications,
		importExample,
		retry,
	}) => {
		const { id, form } = await importExample('apply-and-be-invited', { isPublished: true });
		const mend = await begin(applications);
		const page = await fillIn(form, [INES.first_name, 'Carvalho', EMAIL]);
		const [failed] = await client.waitForExecutions(id, 1);
		expect(failed.status).toBe('error');
		await mend();
		await retry(id, failed.id, [INES], false);
		const [{ invitation_link }] = await applications.all();
		expect(page).toContain(`href="${invitation_link}">Start your assessment`);
	});

test('invite-from-a-list: if the table is full, each has one mail; rows say to retry the run, which writes them', async ({
	n8n: { client },
	applications,
	importExample,
	retry,
}) => {
	const { id } = await importExample('invite-from-a-list', { ...MAILED, unpin: true });
	await applications.add(LIST);
	const morning = async () => await client.runToEnd(id, 'Every Morning At 8');
	const mend = await TROUBLES['is full'](applications);
	const failed = await morning();
	expect(failed.status).toBe('error');
	await mend();
	expect((await morning()).status).toBe('success');
	const problem = expect.stringMatching(/under Executions, retry the run that failed/);
	expect(await applications.all()).toMatchObject(LIST.map(() => ({ problem })));
	await retry(id, failed.id, LIST);
});
