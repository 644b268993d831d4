import type { PartnerService } from '../../../mock-service/service.mts';
import { withCredential } from '../../../demo/workflows/parts.mts';
import type { N8nClient } from '../../../tools/n8n/client.mts';
import { JOB } from '../../support/example.mts';
import { Google } from '../support/google.mts';
import { editNode, unpin } from '../support/workflows.mts';
import { dayIn, LOS_ANGELES } from '../support/timeZones.mts';
import { TITLE, tryInEachWay, type World } from '../support/eachWay.mts';
import { followSetup } from '../support/followSetup.mts';
import {
	expect,
	IN_LOS_ANGELES,
	invitationOf,
	PERSON,
	test as base,
	type Imported,
	type Row,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'google-sheets-and-gmail' as const;
const START = 'Every Morning At 8';

const COLUMNS = [
	...['application_id', 'job_id', 'First Name', 'LAST_NAME ', 'E-Mail', 'Notes'],
	...['status', 'problem', 'invitation_link', 'link_for', 'link_sent_at'],
];

/** An applicant's row, with the cells that the workflow has written. */
const rowOf = (id: string, ...written: string[]) => [
	...[id, JOB, 'Maya', id, `${id.toLowerCase()}@people.example`, `about ${id}`],
	...written,
];
const rowsOf = (...ids: string[]) => ids.map((id) => rowOf(id));

const WRITES = [
	...['Write The Link', 'Write The Link Again', 'Write Already Invited'],
	...['Write The Mistake', 'Write What To Correct', 'Note When It Was Sent', 'Try The Sheet'],
];

const google = new Google();

base.beforeAll(async ({ n8n }) => {
	await google.start();
	await n8n.restart(google.environment);
});
base.afterAll(() => google.close());

const test = base.extend<{
	/** The example with a Google account, without its sample data. */
	workflow: Imported;
	run: () => ReturnType<N8nClient['runToEnd']>;
}>({
	workflow: async ({ n8n: { client }, importExample }, use) => {
		const account = await google.connects(client, ['Read The Sheet', 'Email The Link', ...WRITES]);
		await use(await importExample(EXAMPLE, { ...account, unpin: true, ...IN_LOS_ANGELES }));
	},
	run: async ({ n8n: { client }, workflow }, use) =>
		await use(async () => await client.runToEnd(workflow.id, START)),
});

test(`${EXAMPLE}: while the list is sent the sheet is sorted, a row comes in and one goes; each link is in its own row`, async ({
	run,
	service,
}) => {
	google.begin(COLUMNS, rowsOf('APP-A', 'APP-B', 'APP-C', 'APP-D', 'APP-E'));
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

test(`${EXAMPLE}: a sheet that is sorted in the moment of a write gives nobody another one's link; one that Gmail refused goes out in the next run`, async ({
	run,
	service,
}) => {
	google.begin(COLUMNS, rowsOf('APP-A', 'APP-B', 'APP-C'));
	for (const id of ['a', 'b']) google.refused.add(`app-${id}@people.example`);
	// In the second read, the node looks up the links' rows.
	google.afterRead = (count) => {
		if (count === 2) google.rows.reverse();
	};
	expect((await run()).status).toBe('success');
	const { 'APP-C': sent, ...others } = expectInvited(service.invitations);
	expect([sent.problem, sent.link_sent_at]).toEqual(['', expect.stringMatching(/^20/)]);
	for (const { link_sent_at, problem } of Object.values(others)) {
		expect(link_sent_at).toBe('');
		expect(problem).toMatch(/^The link was not emailed: \S/);
	}

	google.refused.clear();
	await run();
	expect(google.mails).toHaveLength(3);
	const again = Object.values(expectInvited(service.invitations));
	expect(again).toMatchObject(Array(3).fill({ problem: '' }));
	for (const { link_sent_at } of again) expect(link_sent_at).toMatch(/^20/);
});

test(`${EXAMPLE}: new rows are invited, and each row says what became of it`, async ({
	run,
	service,
}) => {
	const link = 'https://assessment.example.com/1';
	const noEmail = rowOf('APP-1').with(4, '');
	const sort = () => google.rows.reverse();
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
	// Mistakes are written first, by row number.
	google.afterWrite = () => {
		google.afterWrite = () => {};
		sort();
	};
	expect((await run()).status).toBe('success');
	sort();
	const rows = google.by('E-Mail');
	const several = 'Rows 5, 8 have the application_id APP-3: give each its own.';
	expect(rows).toMatchObject({
		'app-0@people.example': { status: 'invited', link_for: 'APP-0', problem: '' },
		'': { status: 'invalid', problem: expect.stringContaining('Email') },
		'app-2@people.example': { status: 'withdrawn', problem: expect.stringMatching(/^Not invited/) },
		'app-3@people.example': { status: 'invited', problem: several, link_sent_at: '' },
		'app-4@people.example': { status: 'invited', link_sent_at: '2026-11-02' },
		'app-5@people.example': { status: 'invited', problem: expect.stringContaining('APP-4') },
		'jonas@people.example': { status: '', problem: several, invitation_link: '' },
		'@people.example': { status: '', problem: '' },
		'0815@people.example': { status: 'invited', link_for: '0815' },
	});
	expect(google.mails.map(({ to }) => to)).toEqual(['app-0@people.example', '0815@people.example']);

	// The rows are corrected. APP-0 was invited, although its row no longer says so.
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

test(`${EXAMPLE}: rows that somebody has written by hand are invited, mailed, or say why not; a run in which no link is emailed fails`, async ({
	n8n: { client },
	workflow,
	run,
	service,
}) => {
	for (const node of WRITES) await editNode(client, workflow.id, node, { retryOnFail: false });
	const link = 'https://assessment.example.com/1';
	google.begin(COLUMNS, [
		rowOf('APP-1', 'Applied'),
		rowOf('APP-2', 'INVITED', '', link, 'APP-2'),
		rowOf('APP-3', '', '', link, 'APP-3'),
		rowOf('APP-4', 'invited'),
		rowOf('APP-5', 'Unknown'),
		rowOf('APP-6', 'Active', 'on vacation'),
	]);
	for (const id of [2, 3]) google.refused.add(`app-${id}@people.example`);
	const failed = await run();
	expect([failed.status, failed.data.resultData.error?.message]).toEqual([
		'error',
		expect.stringMatching(/^No link was emailed\. They go out in the next run that can\. \S/),
	]);
	google.refused.clear();
	// While the sheet can't be written, nobody is mailed.
	google.isProtected = true;
	for (const _ of [1, 2]) expect((await run()).status).toBe('error');
	expect(google.mails).toEqual([]);
	google.isProtected = false;
	for (const _ of [1, 2]) expect((await run()).status).toBe('success');
	expect(google.mails.map(({ to }) => to)).toEqual([
		'app-2@people.example',
		'app-3@people.example',
	]);
	expect(service.requests).toEqual([]);
	const rows = Object.values(google.by('application_id')).map(({ status, problem }) => [
		status,
		problem,
	]);
	const noLink = expect.stringMatching(/^No link is in this row/);
	expect(rows).toEqual([
		['Applied', expect.stringMatching(/^Not invited because of its status/)],
		['INVITED', ''],
		['', ''],
		['invited', noLink],
		['Unknown', noLink],
		['Active', 'on vacation'],
	]);
});

test(`${EXAMPLE}: if the sheet is protected, each candidate has one mail, and a retry writes the rows`, async ({
	n8n: { client },
	workflow,
	run,
	service,
}) => {
	for (const node of WRITES) await editNode(client, workflow.id, node, { retryOnFail: false });
	google.begin(COLUMNS, rowsOf('APP-A', 'APP-B'));
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
	for (const row of Object.values(expectInvited(service.invitations))) {
		expect(row).toMatchObject({ problem: '', link_sent_at: expect.stringMatching(/^20/) });
	}
	expectMails();
	expect(service.invitations).toHaveLength(2);
});

base(
	`${EXAMPLE}: after what its Setup says, in that order, the mail arrives`,
	async ({ n8n: { client }, service, credential }) => {
		const { webhookId } = service;
		const nodes = ['Read The Sheet', 'Email The Link', ...WRITES];
		const account = await google.connects(client, nodes);
		google.begin([], []);
		const { workflow } = await followSetup(client, EXAMPLE, { credential, webhookId }, [
			[
				/Create a sheet whose first row has/,
				async (_, step) => {
					google.columns = [...step.matchAll(/`(\w+)`/g)].map(([, name]) => name);
				},
			],
			[
				/Sample data is pinned, so nothing is sent/,
				async ({ workflow: { id } }) => {
					expect((await client.runToEnd(id, START)).status).toBe('success');
					expect([google.mails, service.requests]).toEqual([[], []]);
				},
			],
			[
				/your Google account, document, and sheet/,
				async ({ edit }) =>
					await edit(({ name, parameters }) =>
						nodes.includes(name)
							? {
									credentials: withCredential(account.credentials[name]),
									parameters: { ...parameters, ...account.parameters[name] },
								}
							: undefined,
					),
			],
			[
				/Activate the deactivated nodes/,
				async ({ edit }) =>
					await edit(({ disabled }) => (disabled ? { disabled: false } : undefined)),
			],
		]);
		const person: Record<string, string> = { ...PERSON, application_id: 'APP-1', job_id: JOB };
		google.rows = [google.columns.map((name) => person[name] ?? '')];
		// Runs its next morning at once.
		const { id } = workflow;
		await unpin(client, id);
		await client.runToEnd(id, START);
		expect(google.mails.map(({ to }) => to)).toEqual([PERSON.email]);
		expectOwnLinks(service.invitations);
		expectInvited(service.invitations);
		await client.unpublish(id);
	},
);

test(`${EXAMPLE}: ${TITLE}`, async ({ n8n: { client }, workflow, run, service }) => {
	test.setTimeout(600_000);
	const columns = [
		...['application_id', 'job_id', 'first_name', 'last_name', 'email'],
		...['status', 'problem', 'invitation_link', 'link_for', 'link_sent_at'],
	];
	const world: World = {
		begin: async (rows) =>
			google.begin(
				columns,
				rows.map((row) => columns.map((column) => String(row[column] ?? ''))),
			),
		rows: async () => Object.values(google.by('application_id')) as Row[],
		mails: google.mails,
		hasAll: true,
	};
	const runs = async () => {
		await run();
		return [];
	};
	expect(
		await tryInEachWay({ client, service, world, workflow, name: EXAMPLE, run: runs }),
	).toEqual({});
});

/** Expects each row to have its own link. Returns the rows by ID. */
function expectInvited(invitations: PartnerService['invitations']) {
	expectOwnLinks(invitations);
	const rows = google.by('application_id');
	for (const [id, row] of Object.entries(rows)) {
		const own = invitations.find((each) => each.ext_reference_id === id);
		const { invitation_link } = own ?? {};
		expect(row).toMatchObject({ status: 'invited', invitation_link, link_for: id });
	}
	return rows;
}

/** Expects that nobody received another candidate's link or last day. */
function expectOwnLinks(invitations: PartnerService['invitations']) {
	for (const { to, text } of google.mails) {
		const own = invitations.find(({ email }) => email === to);
		expect(text).toContain(`: ${own?.invitation_link}\n`);
		// In a later run, the day isn't known.
		const by = / by (\w+ \d+):/.exec(text)?.[1];
		if (by) expect(by).toBe(dayIn(LOS_ANGELES, own!.invitation_expired_at));
	}
}
