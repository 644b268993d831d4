import { JOB } from '../../support/example.mts';
import { runOf, SENT, test as base } from '../support/eachWay.mts';
import { expect, invitationOf, type Row } from '../support/exampleFixtures.mts';
import { fillIn } from '../support/visitor.mts';

const LIMIT = 5_000_000;

base.beforeAll(async ({ n8n }) => {
	await n8n.restart({
		N8N_DATA_TABLES_MAX_SIZE_BYTES: `${LIMIT}`,
		N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
	});
});

const rowOf = (name: string): Row => {
	const email = `${name.toLowerCase()}@people.example`;
	return { application_id: email, first_name: name, last_name: 'Example', email, job_id: JOB };
};

const test = base.extend<{
	/** Retries a run that has invited these people, but failed: now it only writes their rows. Returns them. */
	retry: (id: string, executionId: string, people: Row[], change: object) => Promise<Row[]>;
}>({
	retry: async ({ n8n: { client }, service, applications, mailServer: { mails } }, use) =>
		await use(async (workflowId, executionId, people, change) => {
			const sent = [...mails];
			const { length } = await client.allExecutions(workflowId);
			await client.request('POST', `/rest/executions/${executionId}/retry`, { loadWorkflow: true });
			const [retried] = await client.waitForExecutions(workflowId, length + 1);
			expect(retried.status).toBe('success');
			const wanted = people.map((row) => {
				const { invitation_link } = invitationOf(service, row.application_id);
				return { ...row, ...change, invitation_link };
			});
			const rows = await applications.all();
			expect(rows).toMatchObject(wanted);
			expect(service.invitations).toHaveLength(people.length);
			expect(mails).toEqual(sent);
			return rows;
		}),
});

test('apply-and-be-invited: if the table is missing, the link is on the page, and a retry writes the row', async ({
	n8n: { client },
	applications,
	importExample,
	retry,
}) => {
	const { id, form } = await importExample('apply-and-be-invited', { isPublished: true });
	const create = await applications.remove();
	const ines = rowOf('Ines');
	const page = await fillIn(form, [ines.first_name, ines.last_name, ines.email]);
	const [failed] = await client.waitForExecutions(id, 1);
	expect(failed.status).toBe('error');
	await create();
	const [{ invitation_link }] = await retry(id, failed.id, [ines], { status: 'invited' });
	expect(page).toContain(`href="${invitation_link}">Start your assessment`);
});

test('invite-from-a-list: if the table is full, each has one mail; rows say to retry the run, which writes them', async ({
	n8n: { client },
	applications,
	importExample,
	retry,
	mailServer: { mails },
}) => {
	const list = await importExample('invite-from-a-list', { mails: true, unpin: true });
	const morning = runOf(list, client);
	const people = ['Ada', 'Ben', 'Cem'].map(rowOf);
	await applications.add(people);
	const makeRoom = await applications.fillUp(LIMIT + 100_000);
	const failed = await morning(/\S/);
	await makeRoom();
	await morning();
	const problem = expect.stringMatching(/under Executions, retry the run that failed/);
	expect(await applications.all()).toMatchObject(people.map(() => ({ problem })));
	const rows = await retry(list.id, failed, people, SENT);
	expect(mails).toEqual(
		rows.map(({ email, invitation_link }) => {
			return { to: email, text: expect.stringContaining(`: ${invitation_link}\r\n`) };
		}),
	);
});
