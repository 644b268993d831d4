import { withCredential } from '../../../demo/workflows/parts.mts';
import { JOB, readExample } from '../../support/example.mts';
import { Google } from '../support/google.mts';
import { runOf, SENT, type Run } from '../support/eachWay.mts';
import { followSetup, type SetUp } from '../support/followSetup.mts';
import {
	expect,
	invitationOf,
	PERSON,
	roleFit,
	test as base,
	waitForStatuses,
	type Imported,
	type Row,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'a-google-sheet' as const;
const SHOWN = ['status', 'invitation_link', 'role_fit', 'report_link', 'problem'];
const COLUMNS = [
	...['notes', 'first_name', 'application_id', 'last_name'],
	...[...SHOWN, 'email', 'job_id'],
];

/** An applicant's row in the sheet. */
const rowOf = (id: string, more: Partial<Row> = {}): Row => ({
	...{ application_id: id, job_id: JOB, first_name: 'Maya', last_name: id },
	...{ email: `${id.toLowerCase()}@people.example`, notes: `about ${id}`, ...more },
});
const rowsOf = (...ids: string[]) => ids.map((id) => rowOf(id));

const GOOGLES = (await readExample(EXAMPLE)).nodes
	.filter(({ type }) => type.endsWith('.googleSheets'))
	.map(({ name }) => name);

const google = new Google();

base.beforeAll(async ({ n8n }) => {
	await google.start();
	await n8n.restart(google.environment);
});
base.afterAll(() => google.close());

const test = base.extend<{ workflow: Imported; hour: Run; morning: Run }>({
	workflow: async ({ n8n: { client }, importExample }, use) =>
		await use(await importExample(EXAMPLE, await google.connects(client, GOOGLES))),
	hour: async ({ n8n: { client }, workflow }, use) => await use(runOf(workflow, client)),
	morning: async ({ n8n: { client }, importExample }, use) =>
		await use(
			runOf(await importExample('invite-from-a-list', { mails: true, unpin: true }), client),
		),
});

test(`${EXAMPLE}: from a new row to a decision, each row has its own link, result, and word, however it is sorted meanwhile; what stays as it is costs no request`, async ({
	n8n: { client },
	hour,
	morning,
	service,
	applications,
	importExample,
	mailServer: { mails },
}) => {
	const { id } = await importExample('result-to-decision', { isPublished: true });
	google.begin(COLUMNS, rowsOf('A', 'B', 'C', 'D', '0815'));
	await hour();
	expect(await applications.all()).toMatchObject(
		['A', 'B', 'C', 'D', '0815'].map((application_id) => ({ application_id, job_id: JOB })),
	);
	await morning();
	// Between reading the sheet and writing it, and after each write.
	google.afterRead = (count) => (count % 2 === 0 ? google.rows.reverse() : undefined);
	google.afterWrite = () => google.rows.reverse();
	await hour();
	for (const row of google.rows) {
		const { invitation_link } = invitationOf(service, row.application_id);
		expect(row).toMatchObject({ invitation_link, status: 'invited' });
		expect(row.notes).toBe(`about ${row.application_id}`);
	}
	expect(mails.map(({ to }) => to).sort()).toEqual(google.rows.map((row) => row.email).sort());

	google.afterRead = google.afterWrite = () => {};
	const { reads } = google;
	await hour();
	// A write would look its row up first.
	expect(google.reads - reads).toBe(1);
	const { invitation_code } = invitationOf(service, 'B');
	await service.finish(invitation_code);
	await waitForStatuses(client, id, ['waiting']);
	google.byId().C.status = 'withdrawn';
	google.byId().D.status = 'new';
	await hour();
	const role_fit = `${roleFit(invitationOf(service, 'B'))}`;
	const report_link = expect.stringContaining('http');
	expect(google.byId()).toMatchObject({
		A: { status: 'invited' },
		B: { status: 'completed', role_fit, report_link },
		...{ C: { status: 'withdrawn' }, D: { status: 'invited' } },
	});
	const statuses = (await applications.all()).map(({ status }) => status);
	expect(statuses).toEqual(['invited', 'completed', 'withdrawn', 'invited', 'invited']);
	await hour();
	await morning();
	expect([mails.length, service.invitations.length]).toEqual([5, 5]);
});

test(`${EXAMPLE}: a row with a mistake says so and can be corrected, two with one ID are told, and a row that has a link keeps its address`, async ({
	hour,
	morning,
	service,
	applications,
}) => {
	const wrong = rowOf('A', { email: 'nobody' });
	google.begin(COLUMNS, [wrong, rowOf('B'), rowOf('B', { notes: 'the other' }), rowOf('')]);
	google.afterWrite = () => google.rows.reverse();
	await hour();
	const problem = 'Rows 3, 4 have this application_id: give each its own.';
	const isB = ({ application_id }: Row) => application_id === 'B';
	expect(google.rows.filter(isB)).toMatchObject([{ problem }, { problem }]);
	await morning();
	await hour();
	expect(google.byId().A).toMatchObject({
		status: 'invalid',
		problem: expect.stringMatching('^Email'),
	});
	google.begin(COLUMNS, [rowOf('A', { status: 'invalid' }), rowOf('C', { status: 'Applied' })]);
	await hour();
	await morning();
	await hour();
	expect(google.byId()).toMatchObject({
		A: { status: 'invited', invitation_link: invitationOf(service, 'A').invitation_link },
		C: { status: 'Applied', problem: expect.stringMatching('^Not invited because of its status') },
	});
	google.byId().A.email = 'new@people.example';
	await hour();
	expect((await applications.all())[0]).toMatchObject({ email: 'a@people.example', ...SENT });
});

test(`${EXAMPLE}: if Google refuses, for a while or for good, the run fails, and a later one does what is left; a missing column is named`, async ({
	hour,
	morning,
	applications,
}) => {
	google.begin(COLUMNS, rowsOf('A', 'B'));
	for (const status of [401, 500]) {
		google.status = status;
		await hour(/\S/);
	}
	expect(await applications.all()).toEqual([]);
	google.status = 200;
	await hour();
	await morning();
	google.isProtected = true;
	await hour(/\S/);
	google.isProtected = false;
	google.refuseEvery = 4;
	for (const _ of [1, 2]) await hour();
	google.refuseEvery = 0;
	expect(google.byId()).toMatchObject({ A: { status: 'invited' }, B: { status: 'invited' } });
	for (const column of ['application_id', 'role_fit', 'email', 'job_id']) {
		google.begin(
			COLUMNS.filter((name) => name !== column),
			rowsOf('C'),
		);
		await hour(new RegExp(`missing.* – ${column}\\b`));
	}
});

test(`${EXAMPLE}: after what its Setup says, in that order, the sheet's rows are in the table`, async ({
	n8n: { client },
	service,
	credential,
	applications,
	importExample,
}) => {
	await importExample('invite-from-a-list');
	const account = await google.connects(client, GOOGLES);
	google.begin([], []);
	const { workflow } = await followSetup(
		client,
		EXAMPLE,
		{ credential, webhookId: service.webhookId, table: applications.table },
		[
			[/Set up \*Invite from a list\* first/, async () => {}],
			[
				/Create a sheet whose first row has/,
				async (_: SetUp, step: string) => {
					google.columns = [...step.matchAll(/`(\w+)`/g)].map(([, name]) => name).slice(0, -1);
					google.rows = [{ ...PERSON, application_id: 'APP-1', job_id: JOB }];
				},
			],
			[
				/your Google account, document, and sheet/,
				async ({ edit }) =>
					await edit(({ name, parameters }) => {
						const own = account.credentials[name];
						const entered = { ...parameters, ...account.parameters[name] };
						return (
							own && { credentials: withCredential(own), parameters: entered, disabled: false }
						);
					}),
			],
			[
				/\*\*Execute workflow\*\*, and look into the table/,
				async ({ workflow: { id } }) => {
					expect((await client.runToEnd(id, 'Every Hour')).status).toBe('success');
				},
			],
		],
	);
	expect(await applications.all()).toMatchObject([{ ...PERSON, application_id: 'APP-1' }]);
	expect(service.requests).toEqual([]);
	await client.unpublish(workflow.id);
});
