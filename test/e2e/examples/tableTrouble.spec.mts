import type { N8nClient } from '../../../tools/n8n/client.mts';
import { JOB } from '../../support/example.mts';
import { runOf, SENT, test } from '../support/scheduledExamples.mts';
import { expect, invitationOf, type Row } from '../support/exampleFixtures.mts';
import { fillIn } from '../support/visitor.mts';

const LIMIT = 5_000_000;

test.beforeAll(async ({ n8n }) => {
	await n8n.restart({
		N8N_DATA_TABLES_MAX_SIZE_BYTES: `${LIMIT}`,
		N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
	});
});

const rowOf = (name: string): Row => {
	const email = `${name.toLowerCase()}@people.example`;
	return { application_id: email, first_name: name, last_name: 'Example', email, job_id: JOB };
};

/** Retries a run that has invited somebody, but failed: now it only writes the rows. */
async function retry(client: N8nClient, workflowId: string, executionId: string) {
	const { length } = await client.allExecutions(workflowId);
	await client.request('POST', `/rest/executions/${executionId}/retry`, { loadWorkflow: true });
	const [retried] = await client.waitForExecutions(workflowId, length + 1);
	expect(retried.status).toBe('success');
}

test('apply-and-be-invited: if the table is missing, the link is on the page, and a retry writes the row', async ({
	n8n: { client },
	applications,
	importExample,
	service,
}) => {
	const { id, form } = await importExample('apply-and-be-invited', { isPublished: true });
	const create = await applications.remove();
	const ines = rowOf('Ines');
	const page = await fillIn(form, [ines.first_name, ines.last_name, ines.email]);
	const [failed] = await client.waitForExecutions(id, 1);
	expect(failed.status).toBe('error');
	await create();
	await retry(client, id, failed.id);
	const [{ invitation_link }] = service.invitations;
	expect(await applications.all()).toMatchObject([{ ...ines, status: 'invited', invitation_link }]);
	expect(service.invitations).toHaveLength(1);
	expect(page).toContain(`href="${invitation_link}">Start your assessment`);
});

test('invite-from-a-list: if the table is full, each has one mail; rows say to retry the run, which writes them', async ({
	n8n: { client },
	applications,
	importExample,
	service,
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
	await retry(client, list.id, failed);
	const rows = people.map((row): Row => {
		const { invitation_link } = invitationOf(service, row.application_id);
		return { ...row, ...SENT, invitation_link };
	});
	expect(await applications.all()).toMatchObject(rows);
	expect(service.invitations).toHaveLength(rows.length);
	expect(mails.map(({ to }) => to)).toEqual(people.map(({ email }) => email));
});
