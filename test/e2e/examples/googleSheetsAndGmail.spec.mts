import type { PartnerService } from '../../../mock-service/service.mts';
import type { N8nClient, Workflow } from '../../../tools/n8n/client.mts';
import { JOB } from '../../support/example.mts';
import { Google } from '../../support/google.mts';
import { editNode } from '../../support/workflows.mts';
import { expect, invitationOf, jsonOf, lastDay, nodesRun, test as base } from './fixtures.mts';

const EXAMPLE = 'google-sheets-and-gmail';
const START = 'Every Morning At 8';

const COLUMNS = [
	...['application_id', 'job_id', 'First Name', 'LAST_NAME ', 'E-Mail', 'Notes'],
	...['status', 'problem', 'invitation_link', 'link_for', 'link_sent_at'],
];

/** A row as somebody writes it, with what the workflow has written into it. */
const rowOf = (id: string, ...written: string[]) => [
	...[id, JOB, 'Maya', id, `${id.toLowerCase()}@people.example`, `about ${id}`],
	...written,
];

const WRITES = [
	...['Write The Link', 'Write The Link Again', 'Write Already Invited'],
	...['Write What To Correct', 'Note When It Was Sent'],
];

const google = new Google();

base.beforeAll(async ({ n8n }) => {
	await google.start();
	await n8n.restart(google.environment);
});
base.afterAll(() => google.close());

const test = base.extend<{
	/** The example with a Google account, without its sample data. */
	workflow: Workflow;
	run: () => ReturnType<N8nClient['runToEnd']>;
}>({
	workflow: async ({ n8n: { client }, importExample }, use) => {
		const account = await google.connects(client, ['Read The Sheet', 'Email The Link', ...WRITES]);
		await use(await importExample(EXAMPLE, { ...account, unpin: true }));
	},
	run: async ({ n8n: { client }, workflow }, use) =>
		await use(async () => await client.runToEnd(workflow.id, START)),
});

test(`${EXAMPLE}: while the list is sent the sheet is sorted, a row comes in and one goes; each link is in its own row`, async ({
	run,
	service,
}) => {
	google.begin(
		COLUMNS,
		['APP-A', 'APP-B', 'APP-C', 'APP-D', 'APP-E'].map((id) => rowOf(id)),
	);
	google.afterRead = (count) => {
		if (count > 1) return;
		google.rows.reverse();
		google.rows.splice(2, 1);
		google.rows.unshift(rowOf('APP-NEW'));
	};
	google.afterWrite = () => google.rows.reverse();
	expect((await run()).status).toBe('success');
	const { 'APP-NEW': added, ...rows } = google.by('application_id');
	expect(Object.keys(rows).sort()).toEqual(['APP-A', 'APP-B', 'APP-D', 'APP-E']);
	for (const [id, row] of Object.entries(rows)) {
		const { invitation_link } = invitationOf(service, id);
		expect(row).toMatchObject({ status: 'invited', invitation_link, Notes: `about ${id}` });
		expect(row.link_sent_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
	}
	expect(added).toMatchObject({ status: '', invitation_link: '', link_sent_at: '' });
	expectOwnLinks(service.invitations);
	expect(google.mails).toHaveLength(5);

	google.afterRead = () => {};
	expect((await run()).status).toBe('success');
	expect(google.mails).toHaveLength(6);
	expect(google.mails[5]?.text).toContain(invitationOf(service, 'APP-NEW').invitation_link);
});

test(`${EXAMPLE}: a sheet that is sorted in the moment of a write gives nobody another one's link`, async ({
	run,
	service,
}) => {
	google.begin(
		COLUMNS,
		['APP-A', 'APP-B', 'APP-C'].map((id) => rowOf(id)),
	);
	for (const id of ['a', 'b', 'c']) google.refused.add(`app-${id}@people.example`);
	// The second time, the node looks for the rows of the links.
	google.afterRead = (count) => {
		if (count === 2) google.rows.reverse();
	};
	await run();
	for (const [id, row] of Object.entries(google.by('application_id'))) {
		const { invitation_link } = invitationOf(service, id);
		expect(row).toMatchObject({ status: 'invited', invitation_link, link_for: id });
	}

	google.refused.clear();
	await run();
	expect(google.mails).toHaveLength(3);
	expectOwnLinks(service.invitations);
});

test(`${EXAMPLE}: new rows are invited, and each row says what became of it`, async ({
	run,
	service,
}) => {
	const link = 'https://assessment.example.com/1';
	const noEmail = rowOf('APP-1').with(4, '');
	google.begin(COLUMNS, [
		rowOf('APP-0', ' New '),
		noEmail,
		rowOf('APP-2', 'withdrawn'),
		rowOf('APP-3', 'invited', '', link, 'APP-3'),
		rowOf('APP-4', 'invited', '', link, 'APP-4', '2026-11-02'),
		// Somebody copied the row of APP-4, and then that of APP-3.
		rowOf('APP-5', 'invited', '', link, 'APP-4'),
		rowOf('APP-3', '').with(4, 'jonas@people.example'),
		rowOf('', ''),
		[{ value: 815, shown: '0815' }, ...rowOf('0815').slice(1)],
	]);
	expect((await run()).status).toBe('success');
	const rows = google.by('E-Mail');
	const several = 'Rows 5, 8 have this application_id: give each its own.';
	expect(rows).toMatchObject({
		'app-0@people.example': { status: 'invited', link_for: 'APP-0', problem: '' },
		'': { status: 'invalid', problem: expect.stringContaining('Email') },
		'app-2@people.example': { status: 'withdrawn', problem: '' },
		'app-3@people.example': { status: 'invited', problem: several, link_sent_at: '' },
		'app-4@people.example': { status: 'invited', link_sent_at: '2026-11-02' },
		'app-5@people.example': { status: 'invited', problem: expect.stringContaining('APP-4') },
		'jonas@people.example': { status: '', invitation_link: '' },
		'@people.example': { status: '', problem: '' },
		'0815@people.example': { status: 'invited', link_for: '0815' },
	});
	expect(google.mails.map(({ to }) => to)).toEqual(['app-0@people.example', '0815@people.example']);

	// The rows are corrected; APP-0 was invited, although its row says no more.
	google.rows[0] = rowOf('APP-0');
	google.rows[1] = rowOf('APP-1', 'invalid', 'problem');
	google.rows[5] = rowOf('APP-5');
	google.rows[6] = rowOf('APP-6');
	google.mails.length = 0;
	expect((await run()).status).toBe('success');
	const corrected = google.by('application_id');
	expect(corrected['APP-0']).toMatchObject({
		status: 'invited',
		problem: expect.stringContaining('Already invited'),
	});
	for (const id of ['APP-1', 'APP-5', 'APP-6']) {
		const { invitation_link } = invitationOf(service, id);
		expect(corrected[id]).toMatchObject({ status: 'invited', problem: '', invitation_link });
	}
	expect(google.mails.map(({ to }) => to)).toEqual([
		...['app-1', 'app-5', 'app-6', 'app-3'].map((name) => `${name}@people.example`),
	]);
	expect(google.mails.at(-1)?.text).toContain(`your assessment: ${link}`);
});

test(`${EXAMPLE}: a link that Gmail refused goes out in the next run, and the others once`, async ({
	run,
	service,
}) => {
	google.begin(
		COLUMNS,
		['APP-A', 'APP-B', 'APP-C'].map((id) => rowOf(id)),
	);
	google.refused.add('app-b@people.example');
	expect((await run()).status).toBe('success');
	expect(google.by('application_id')['APP-B']).toMatchObject({
		link_sent_at: '',
		problem: expect.stringMatching(/^The link was not emailed: \S/),
	});
	google.refused.clear();
	expect((await run()).status).toBe('success');
	expect(google.mails.map(({ to }) => to)).toEqual([
		...['app-a', 'app-c', 'app-b'].map((name) => `${name}@people.example`),
	]);
	expectOwnLinks(service.invitations);
	expect(google.by('application_id')['APP-B']).toMatchObject({
		link_sent_at: expect.stringMatching(/^20/),
		problem: '',
	});
});

test(`${EXAMPLE}: if the sheet is protected, each candidate has one mail, and a retry writes the rows`, async ({
	n8n: { client },
	workflow,
	run,
	service,
}) => {
	for (const node of WRITES) await editNode(client, workflow.id, node, { retryOnFail: false });
	google.begin(
		COLUMNS,
		['APP-A', 'APP-B'].map((id) => rowOf(id)),
	);
	google.isProtected = true;
	const failed = await run();
	expect(failed.status).toBe('error');
	const expectMails = () => {
		expect(google.mails.map(({ to }) => to)).toEqual([
			'app-a@people.example',
			'app-b@people.example',
		]);
		expectOwnLinks(service.invitations);
	};
	expectMails();

	google.isProtected = false;
	expect((await run()).status).toBe('success');
	const { 'APP-A': row } = google.by('application_id');
	expect(row).toMatchObject({
		status: 'invited',
		problem: expect.stringContaining('under Executions, retry the run that failed'),
	});
	await client.request('POST', `/rest/executions/${failed.id}/retry`, { loadWorkflow: true });
	const [retried] = await client.waitForExecutions(workflow.id, 3);
	expect(retried.status).toBe('success');
	for (const [id, row] of Object.entries(google.by('application_id'))) {
		const { invitation_link } = invitationOf(service, id);
		expect(row).toMatchObject({ status: 'invited', invitation_link, link_for: id, problem: '' });
		expect(row.link_sent_at).toMatch(/^20/);
	}
	expectMails();
	expect(service.invitations).toHaveLength(2);
});

for (const [what, columns, words] of [
	[
		'no column for links',
		COLUMNS.with(8, 'link'),
		"missing in the sheet's first row: invitation_link",
	],
	['an ID column of another name', COLUMNS.with(0, 'ID'), 'first row: application_id'],
	[
		'a title above the columns',
		['Applicants'],
		'first row: job_id, first_name, last_name, email, app',
	],
	[
		'two columns for emails',
		COLUMNS.with(5, 'Email'),
		'Keep only one of these columns: E-Mail, Email',
	],
] as const) {
	test(`${EXAMPLE}: with ${what}, the run says it, and nobody is invited`, async ({
		run,
		service,
	}) => {
		google.begin([...columns], [rowOf('APP-A')]);
		const { status, data } = await run();
		expect([status, data.resultData.error?.message]).toEqual([
			'error',
			expect.stringContaining(words),
		]);
		expect(service.requests).toEqual([]);
	});
}

test(`${EXAMPLE}: the email names the last day as it is in the workflow's time zone`, async ({
	n8n: { client },
	workflow,
	service,
}) => {
	google.begin(COLUMNS, [rowOf('APP-A')]);
	const { name, nodes, connections } = workflow;
	const settings = { timezone: 'America/Los_Angeles' };
	const { id } = await client.createWorkflow({ name, nodes, connections, settings });
	await client.runToEnd(id, START);
	const day = lastDay(invitationOf(service, 'APP-A'));
	expect(google.mails[0]?.text).toContain(`complete your assessment by ${day}: http`);
});

base(
	`${EXAMPLE}: trying it with the sample data sends nothing`,
	async ({ n8n: { client }, service, importExample }) => {
		const { id } = await importExample(EXAMPLE);
		const samples = await client.runToEnd(id, START);
		expect(samples.status).toBe('success');
		expect(jsonOf(samples, 'Email The Link')).toHaveLength(3);
		expect(nodesRun(samples)).toContain('Note When It Was Sent');
		expect(service.requests).toEqual([]);
	},
);

/** Nobody received a link that isn't theirs. */
function expectOwnLinks(invitations: PartnerService['invitations']) {
	for (const { to, text } of google.mails) {
		const own = invitations.find(({ email }) => email === to);
		expect(text).toContain(`: ${own?.invitation_link}\n`);
	}
}
