import { withCredential } from '../../../demo/workflows/parts.mts';
import { JOB, readExample } from '../../support/example.mts';
import { Google } from '../support/google.mts';
import { runOf } from '../support/scheduledExamples.mts';
import { followSetup, type SetUp } from '../support/followSetup.mts';
import { expect, invitationOf, PERSON, test, type Row } from '../support/exampleFixtures.mts';

const EXAMPLE = 'a-google-sheet' as const;

/** An applicant's row in the sheet. */
const rowOf = (id: string): Row => ({
	...{ application_id: id, job_id: JOB, first_name: 'Maya', last_name: id },
	...{ email: `${id.toLowerCase()}@people.example`, notes: `about ${id}` },
});

const GOOGLES = (await readExample(EXAMPLE)).nodes
	.filter(({ type }) => type.endsWith('.googleSheets'))
	.map(({ name }) => name);

const google = new Google();

test.beforeAll(async ({ n8n }) => {
	await google.start();
	await n8n.restart(google.environment);
});
test.afterAll(() => google.close());

test(`${EXAMPLE}: each row gets its own link, result, and word, however it is sorted meanwhile; mistakes are told, and can be corrected; what stays as it is costs no request; if Google refuses, the run fails, and a later one does what is left`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer: { mails },
}) => {
	const sheet = await importExample(EXAMPLE, await google.connects(client, GOOGLES));
	const hour = runOf(sheet, client);
	const list = await importExample('invite-from-a-list', { mails: true, unpin: true });
	const morning = runOf(list, client);
	const ids = ['A', 'B', 'C', 'D', '0815'];
	google.begin(ids.map(rowOf), ['application_id', 'email']);
	await hour(/missing.* – job_id, first_name\b/);
	google.begin([...ids, 'wrong', 'two', 'two', ''].map(rowOf));
	google.byId().wrong.email = 'nobody';
	for (const status of [401, 500]) {
		google.meanwhile = () => status;
		await hour(/\S/);
	}
	expect(await applications.all()).toEqual([]);
	google.meanwhile = () => {};
	await hour();
	expect(await applications.all()).toMatchObject(
		[...ids, 'wrong'].map((application_id) => ({ application_id, job_id: JOB })),
	);
	const problem = 'Rows 8, 9 have this application_id: give each its own.';
	expect(google.rows.splice(6)).toMatchObject([{ problem }, { problem }, { application_id: '' }]);
	await morning();
	// The sheet is protected.
	google.meanwhile = (isWrite) => (isWrite ? 403 : 0);
	await hour(/\S/);
	const requests = { read: 0, write: 0 };
	google.meanwhile = (isWrite) => {
		if (!isWrite) google.rows.reverse();
		// The first of each is one too many.
		return (requests[isWrite ? 'write' : 'read'] += 1) === 1 ? 429 : 0;
	};
	await hour();
	const invalid = { status: 'invalid', problem: expect.stringMatching('^Email') };
	expect(google.byId().wrong).toMatchObject(invalid);
	for (const application_id of ids) {
		const { invitation_link } = invitationOf(service, application_id);
		const own = { ...rowOf(application_id), status: 'invited', invitation_link };
		expect(google.byId()[application_id]).toMatchObject(own);
	}
	expect(mails.map(({ to }) => to).sort()).toEqual(ids.map((each) => rowOf(each).email).sort());

	requests.read = 1;
	await hour();
	// A write would look its row up first.
	expect(requests.read).toBe(2);
	google.meanwhile = () => {};
	const report_link = 'https://assessment.example.com/r/1';
	await applications.correct('B', { status: 'completed', role_fit: 85, report_link });
	google.byId().C.status = 'withdrawn';
	google.byId().D.status = 'new';
	google.byId().wrong.email = 'right@people.example';
	await hour();
	expect(google.byId()).toMatchObject({
		A: { status: 'invited' },
		B: { status: 'completed', role_fit: '85', report_link },
		...{ C: { status: 'withdrawn' }, D: { status: 'invited' } },
	});
	await morning();
	await hour();
	expect(google.byId().wrong.invitation_link).toBe(invitationOf(service, 'wrong').invitation_link);
	const statuses = (await applications.all()).map(({ status }) => status).join(' ');
	expect(statuses).toBe('invited completed withdrawn invited invited invited');
	expect([mails.length, service.invitations.length]).toEqual([6, 6]);
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
	const create = async (_: SetUp, step: string) => {
		const columns = [...step.matchAll(/`(\w+)`/g)].map(([, name]) => name).slice(0, -1);
		google.begin([{ ...PERSON, application_id: 'APP-1', job_id: JOB }], columns);
	};
	const connect = async ({ edit }: SetUp) =>
		await edit(({ name, parameters }) => {
			const credentials = account.credentials[name] && withCredential(account.credentials[name]);
			const entered = { ...parameters, ...account.parameters[name] };
			return credentials && { credentials, parameters: entered, disabled: false };
		});
	const run = async ({ workflow: { id } }: SetUp) =>
		expect((await client.runToEnd(id, 'Every Hour')).status).toBe('success');
	const given = { credential, webhookId: service.webhookId, table: applications.table };
	const { workflow } = await followSetup(client, EXAMPLE, given, [
		[/Set up \*Invite from a list\* first/, async () => {}],
		[/Create a sheet whose first row has/, create],
		[/your Google account, document, and sheet/, connect],
		[/\*\*Execute workflow\*\*, and look into the table/, run],
	]);
	expect(await applications.all()).toMatchObject([{ ...PERSON, application_id: 'APP-1' }]);
	expect(service.requests).toEqual([]);
	await client.unpublish(workflow.id);
});
