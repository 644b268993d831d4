import type { PartnerService } from '../../../mock-service/service.mts';
import { withCredential } from '../../../demo/workflows/parts.mts';
import { JOB } from '../../support/example.mts';
import { Google, type Cell } from '../support/google.mts';
import { editNode, unpin } from '../support/workflows.mts';
import { dayIn, LOS_ANGELES } from '../support/timeZones.mts';
import { runOf, SENT, TITLE, type Run, tryInEachWay, type World } from '../support/eachWay.mts';
import { followSetup } from '../support/followSetup.mts';
import {
	expect,
	IN_LOS_ANGELES,
	invitationOf,
	nodesRun,
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
	...[id, JOB, 'Maya', id, ...addresses(id), `about ${id}`],
	...written,
];
const rowsOf = (...ids: string[]) => ids.map((id) => rowOf(id));

const WRITES = [
	...['Write The Link', 'Write The Link Again', 'Write Already Invited'],
	...['Write The Mistake', 'Write What To Correct', 'Note When It Was Sent', 'Try The Sheet'],
];

const LINK = 'https://assessment.example.com/1';
const addresses = (...ids: string[]) => ids.map((id) => `${id.toLowerCase()}@people.example`);

const google = new Google();

base.beforeAll(async ({ n8n }) => {
	await google.start();
	await n8n.restart(google.environment);
});
base.afterAll(() => google.close());

const test = base.extend<{
	/** The example with a Google account, without its sample data. */
	workflow: Imported;
	run: Run;
}>({
	workflow: async ({ n8n: { client }, importExample }, use) => {
		const account = await google.connects(client, ['Read The Sheet', 'Email The Link', ...WRITES]);
		await use(await importExample(EXAMPLE, { ...account, unpin: true, ...IN_LOS_ANGELES }));
	},
	run: async ({ n8n: { client }, workflow }, use) => await use(runOf(workflow, client)),
});

/** When the sheet changes: while the list is sent, or between the look-up of a link's row and its write. */
const CHANGES: Record<string, { after: number; ids: string[]; refused: string[] }> = {
	'while the list is sent': { after: 1, ids: ['A', 'B', 'C', 'D', 'E'], refused: [] },
	'in the moment of a write': { after: 2, ids: ['A', 'B', 'C'], refused: ['A', 'B'] },
};

for (const [when, { after, ids, refused }] of Object.entries(CHANGES))
	test(`${EXAMPLE}: if the sheet is sorted ${when}, each link is in its own row, and is mailed once`, async ({
		run,
		service,
	}) => {
		google.begin(COLUMNS, rowsOf(...ids));
		for (const address of addresses(...refused)) google.refused.add(address);
		google.afterRead = (count) => {
			if (count !== after) return;
			google.rows.reverse();
			if (after === 2) return;
			// A row goes, and one comes in.
			google.rows.splice(2, 1);
			google.rows.unshift(rowOf('NEW'));
		};
		if (after === 1) google.afterWrite = () => google.rows.reverse();
		await run();
		const { NEW: added, ...rows } = google.by('application_id');
		for (const [id, row] of Object.entries(rows)) {
			const { invitation_link } = invitationOf(service, id);
			const problem = expect.stringMatching(/^The link was not emailed: \S/);
			const link_sent_at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
			const sent = refused.includes(id)
				? { problem, link_sent_at: '' }
				: { problem: '', link_sent_at };
			expect(row).toMatchObject({
				...sent,
				status: 'invited',
				invitation_link,
				Notes: `about ${id}`,
			});
		}
		if (after === 1)
			expect(added).toMatchObject({ status: '', invitation_link: '', link_sent_at: '' });
		expectOwnLinks(service.invitations, ids.length - refused.length);

		Object.assign(google, { afterRead: () => {}, afterWrite: () => {} });
		google.refused.clear();
		await run();
		const all = expectInvited(service.invitations, after === 1 ? 6 : 3);
		expect(all).toHaveLength(ids.length);
	});

test(`${EXAMPLE}: new rows are invited, and each row says what became of it`, async ({
	run,
	service,
}) => {
	const several = 'Rows 5, 8 have the application_id APP-3: give each its own.';
	const notInvited = expect.stringMatching(/^Not invited because of its status/);
	const noLink = expect.stringMatching(/^No link is in this row/);
	const cases: Array<[row: Cell[], says: object]> = [
		[rowOf('APP-0', ' New '), { ...SENT, link_for: 'APP-0' }],
		[rowOf('APP-1').with(4, ''), { status: 'invalid', problem: expect.stringContaining('Email') }],
		[rowOf('APP-2', 'withdrawn'), { status: 'withdrawn', problem: notInvited }],
		[rowOf('APP-3', 'invited', '', LINK, 'APP-3'), { problem: several, link_sent_at: '' }],
		[rowOf('APP-4', 'invited', '', LINK, 'APP-4', '2026-11-02'), { link_sent_at: '2026-11-02' }],
		// Somebody copied the row of APP-4, and then that of APP-3.
		[rowOf('APP-5', 'invited', '', LINK, 'APP-4'), { problem: expect.stringContaining('APP-4') }],
		[rowOf('APP-3').with(4, 'jonas@people.example'), { problem: several, invitation_link: '' }],
		[rowOf(''), { status: '', problem: '' }],
		[[{ value: 815, shown: '0815' }, ...rowOf('0815').slice(1)], { ...SENT, link_for: '0815' }],
		[rowOf('APP-6', 'invited'), { status: 'invited', problem: noLink }],
		[rowOf('APP-7', 'Active', 'on vacation'), { status: 'Active', problem: 'on vacation' }],
		// Written by hand.
		[rowOf('APP-8', 'INVITED', '', LINK, 'APP-8'), { status: 'INVITED', problem: '' }],
	];
	google.begin(
		COLUMNS,
		cases.map(([row]) => row),
	);
	// Mistakes are written first, by row number.
	google.afterWrite = () => {
		google.afterWrite = () => {};
		google.rows.reverse();
	};
	await run();
	google.rows.reverse();
	expect(google.objects()).toMatchObject(cases.map(([, says]) => says));
	const first = addresses('APP-0', '0815', 'APP-8');
	expect(google.mails.map(({ to }) => to)).toEqual(first);

	// The rows are corrected. APP-0 was invited, although its row no longer says so.
	google.rows[0] = rowOf('APP-0');
	google.rows[1] = rowOf('APP-1', 'invalid', 'problem');
	google.rows[5] = rowOf('APP-5');
	google.rows[6] = rowOf('APP-9');
	await run();
	const again = { status: 'invited', problem: expect.stringContaining('Already invited') };
	const corrected = google.by('application_id');
	expect(corrected['APP-0']).toMatchObject(again);
	for (const id of ['APP-1', 'APP-5', 'APP-9']) {
		const { invitation_link } = invitationOf(service, id);
		expect(corrected[id]).toMatchObject({ ...SENT, invitation_link });
	}
	const then = addresses('APP-1', 'APP-5', 'APP-9', 'APP-3');
	expect(google.mails.map(({ to }) => to)).toEqual([...first, ...then]);
	expect(google.mails.at(-1)?.text).toContain(`your assessment: ${LINK}`);
});

test(`${EXAMPLE}: a run in which no link is emailed fails; while the sheet can't be written, nobody is mailed twice, and a retry writes the rows`, async ({
	n8n: { client },
	workflow,
	run,
	service,
}) => {
	for (const node of WRITES) await editNode(client, workflow.id, node, { retryOnFail: false });
	const [byHand] = addresses('APP-1');
	google.begin(COLUMNS, [rowOf('APP-1', '', '', LINK, 'APP-1')]);
	google.refused.add(byHand);
	await run(/^No link was emailed\. They go out in the next run that can\. \S/);
	google.refused.clear();
	google.isProtected = true;
	for (const _ of [1, 2]) await run(/\S/);
	expect(google.mails).toEqual([]);
	google.isProtected = false;
	for (const _ of [1, 2]) await run();
	expect(google.mails.map(({ to }) => to)).toEqual([byHand]);
	expect(service.requests).toEqual([]);

	google.begin(COLUMNS, rowsOf('APP-A', 'APP-B'));
	google.isProtected = true;
	const failed = await run(/\S/);
	expectOwnLinks(service.invitations, 2);
	google.isProtected = false;
	await run();
	const problem = expect.stringContaining('under Executions, retry the run that failed');
	expect(google.by('application_id')['APP-A']).toMatchObject({ status: 'invited', problem });
	const { length } = await client.allExecutions(workflow.id);
	await client.request('POST', `/rest/executions/${failed}/retry`, { loadWorkflow: true });
	const [retried] = await client.waitForExecutions(workflow.id, length + 1);
	expect(retried.status).toBe('success');
	expect(expectInvited(service.invitations, 2)).toHaveLength(service.invitations.length);
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
					const trial = await client.runToEnd(id, START);
					expect(trial.status).toBe('success');
					expect(nodesRun(trial)).toContain('Note When It Was Sent');
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
		expectInvited(service.invitations, 1);
		await client.unpublish(id);
	},
);

test(`${EXAMPLE}: ${TITLE}`, async ({ n8n: { client }, workflow, service }) => {
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
	const run = async () => {
		await client.runToEnd(workflow.id, START);
		return [];
	};
	expect(await tryInEachWay({ client, service, world, workflow, name: EXAMPLE, run })).toEqual({});
});

/** Expects that this many mails were sent, and nobody received another candidate's link or last day. */
function expectOwnLinks(invitations: PartnerService['invitations'], count: number) {
	expect(new Set(google.mails.map(({ to }) => to)).size).toBe(count);
	expect(google.mails).toHaveLength(count);
	for (const { to, text } of google.mails) {
		const own = invitations.find(({ email }) => email === to);
		expect(text).toContain(`: ${own?.invitation_link}\n`);
		// In a later run, the day isn't known.
		const by = / by (\w+ \d+):/.exec(text)?.[1];
		if (by) expect(by).toBe(dayIn(LOS_ANGELES, own!.invitation_expired_at));
	}
}

/** Expects each row to have its own link, too. Returns the rows. */
function expectInvited(invitations: PartnerService['invitations'], count: number) {
	expectOwnLinks(invitations, count);
	const rows = Object.values(google.by('application_id'));
	for (const { application_id: link_for, ...row } of rows) {
		const own = invitations.find((each) => each.ext_reference_id === link_for);
		expect(row).toMatchObject({ ...SENT, invitation_link: own?.invitation_link, link_for });
	}
	return rows;
}
