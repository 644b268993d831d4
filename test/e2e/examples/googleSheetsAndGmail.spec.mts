import type { PartnerService } from '../../../mock-service/service.mts';
import { withCredential } from '../../../demo/workflows/parts.mts';
import { JOB, readExample } from '../../support/example.mts';
import { Google } from '../support/google.mts';
import { editNodes, unpin } from '../support/workflows.mts';
import { dayIn, LOS_ANGELES } from '../support/timeZones.mts';
import { runOf, SENT, TITLE, type Run, tryInEachWay, type World } from '../support/eachWay.mts';
import { followSetup, type SetUp } from '../support/followSetup.mts';
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

const WRITTEN = ['status', 'problem', 'invitation_link', 'link_for', 'link_sent_at'];
const COLUMNS = [...['application_id', 'job_id', 'First Name', 'LAST_NAME ', 'E-Mail'], ...WRITTEN];

/** An applicant's row. */
const rowOf = (id: string, more: Partial<Row> = {}): Row => ({
	...{ application_id: id, job_id: JOB, 'First Name': 'Maya', 'LAST_NAME ': id },
	...{ 'E-Mail': addresses(id)[0], ...more },
});
const rowsOf = (...ids: string[]) => ids.map((id) => rowOf(id));

/** The nodes that need a Google account. */
const GOOGLES = (await readExample(EXAMPLE)).nodes
	.filter(({ type }) => /\.(googleSheets|gmail)$/.test(type))
	.map(({ name }) => name);

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
		const account = await google.connects(client, GOOGLES);
		await use(await importExample(EXAMPLE, { ...account, unpin: true, ...IN_LOS_ANGELES }));
	},
	run: async ({ n8n: { client }, workflow }, use) => await use(runOf(workflow, client)),
});

test(`${EXAMPLE}: if the sheet is sorted while the list is sent, even in the moment of a write, each link is in its own row, and is mailed once; one that can't be mailed goes out with the next run`, async ({
	run,
	service,
}) => {
	google.begin(COLUMNS, rowsOf('A', 'B', 'C', 'D', 'E'));
	google.refused = addresses('A', 'B');
	google.afterRead = (count) => {
		// The row of C goes, and one comes in.
		if (count === 1) google.rows = rowsOf('E', 'D', 'NEW', 'B', 'A');
		// Between the look-up of a link's row and its write.
		if (count === 2) google.rows.reverse();
	};
	await run();
	expectOwnLinks(service, 3);
	const problem = expect.stringMatching(/^The link was not emailed: \S/);
	const unsent = { status: 'invited', problem, link_sent_at: '' };
	expect(google.byId()).toMatchObject({ A: unsent, B: unsent, D: SENT, E: SENT });
	expect(google.byId().NEW).toEqual(rowOf('NEW'));
	google.refused = [];
	await run();
	expectInvited(service, 6);
});

test(`${EXAMPLE}: new rows are invited, and each row says what became of it`, async ({
	run,
	service,
}) => {
	const twin = rowOf('APP-3', { status: 'invited', invitation_link: LINK, link_for: 'APP-3' });
	google.begin(COLUMNS, [
		rowOf('APP-0', { status: ' New ' }),
		rowOf('APP-1', { 'E-Mail': '' }),
		twin,
		rowOf(''),
		rowOf('APP-3'),
		rowOf('0815'),
	]);
	// Mistakes are written first, by row number.
	google.afterWrite = () => google.rows.reverse();
	await run();
	const invalid = { status: 'invalid', problem: expect.stringMatching('^Email') };
	expect(google.byId()).toMatchObject({ 'APP-0': SENT, 'APP-1': invalid, '0815': SENT });
	expect(google.rows).toContainEqual(rowOf(''));
	const problem = 'Rows 4, 6 have the application_id APP-3: give each its own.';
	expect(google.rows).toContainEqual({ ...twin, problem });
	expect(google.rows).toContainEqual({ ...rowOf('APP-3'), problem });
	expect(google.mails.map(({ to }) => to)).toEqual(addresses('APP-0', '0815'));
	const { invitation_link, invitation_expired_at } = invitationOf(service, 'APP-0');
	const last = dayIn(LOS_ANGELES, invitation_expired_at);
	expect(google.mails[0]?.text).toContain(`your assessment by ${last}: ${invitation_link}`);

	// The rows are corrected. APP-0 was invited, although its row no longer says so.
	const corrected = rowOf('APP-1', { status: 'invalid', problem: 'Email' });
	google.begin(COLUMNS, [rowOf('APP-0'), corrected, { ...twin, problem }, rowOf('APP-9')]);
	await run();
	const again = { status: 'invited', problem: expect.stringContaining('Already invited') };
	const sent = { 'APP-1': SENT, 'APP-3': SENT, 'APP-9': SENT };
	expect(google.byId()).toMatchObject({ 'APP-0': again, ...sent });
	expect(google.mails.map(({ to }) => to)).toEqual(addresses('APP-1', 'APP-9', 'APP-3'));
	expect(google.mails.at(-1)?.text).toContain(`your assessment: ${LINK}`);
});

test(`${EXAMPLE}: a run in which no link is emailed fails; while the sheet can't be written, nobody is mailed twice, and a retry writes the rows`, async ({
	n8n: { client },
	workflow,
	run,
	service,
}) => {
	await editNodes(client, workflow.id, () => ({ retryOnFail: false }));
	const byHand = addresses('APP-1');
	google.begin(COLUMNS, [rowOf('APP-1', { invitation_link: LINK, link_for: 'APP-1' })]);
	google.refused = byHand;
	await run(/^No link was emailed\. They go out in the next run that can\. \S/);
	google.refused = [];
	google.isProtected = true;
	for (const _ of [1, 2]) await run(/\S/);
	expect(google.mails).toEqual([]);
	google.isProtected = false;
	for (const _ of [1, 2]) await run();
	expect(google.mails.map(({ to }) => to)).toEqual(byHand);
	expect(service.requests).toEqual([]);

	google.begin(COLUMNS, rowsOf('APP-A', 'APP-B'));
	google.isProtected = true;
	const failed = await run(/\S/);
	expectOwnLinks(service, 2);
	google.isProtected = false;
	await run();
	const problem = expect.stringContaining('under Executions, retry the run that failed');
	expect(google.byId()['APP-A']).toMatchObject({ status: 'invited', problem });
	const { length } = await client.allExecutions(workflow.id);
	await client.request('POST', `/rest/executions/${failed}/retry`, { loadWorkflow: true });
	const [retried] = await client.waitForExecutions(workflow.id, length + 1);
	expect(retried.status).toBe('success');
	expectInvited(service, 2);
});

test(`${EXAMPLE}: after what its Setup says, in that order, the mail arrives`, async ({
	n8n: { client },
	service,
	credential,
}) => {
	const account = await google.connects(client, GOOGLES);
	google.begin([], []);
	const nameColumns = async (_: SetUp, step: string) => {
		google.columns = [...step.matchAll(/`(\w+)`/g)].map(([, name]) => name);
	};
	const runSample = async ({ workflow: { id } }: SetUp) => {
		const trial = await client.runToEnd(id, START);
		expect(trial.status).toBe('success');
		expect(nodesRun(trial)).toContain('Note When It Was Sent');
		expect([google.mails, service.requests]).toEqual([[], []]);
	};
	const connect = async ({ edit }: SetUp) =>
		await edit(({ name, parameters }) => {
			const own = account.credentials[name];
			const entered = { ...parameters, ...account.parameters[name] };
			return own && { credentials: withCredential(own), parameters: entered };
		});
	const activate = async ({ edit }: SetUp) =>
		await edit(({ disabled }) => (disabled ? { disabled: false } : undefined));
	const given = { credential, webhookId: service.webhookId };
	const { workflow } = await followSetup(client, EXAMPLE, given, [
		[/Create a sheet whose first row has/, nameColumns],
		[/Sample data is pinned, so nothing is sent/, runSample],
		[/your Google account, document, and sheet/, connect],
		[/Activate the deactivated nodes/, activate],
	]);
	google.rows = [{ ...PERSON, application_id: 'APP-1', job_id: JOB }];
	// Runs its next morning at once.
	await unpin(client, workflow.id);
	await client.runToEnd(workflow.id, START);
	expectInvited(service, 1);
	await client.unpublish(workflow.id);
});

test(`${EXAMPLE}: ${TITLE}`, async ({ n8n: { client }, workflow, service }) => {
	const columns = ['application_id', 'job_id', 'first_name', 'last_name', 'email', ...WRITTEN];
	const world: World = {
		begin: async (rows) => google.begin(columns, rows),
		rows: async () => google.rows,
		mails: google.mails,
	};
	const run = async () => {
		await client.runToEnd(workflow.id, START);
		return [];
	};
	expect(await tryInEachWay({ client, service, world, workflow, name: EXAMPLE, run })).toEqual({});
});

/** Expects that this many mails were sent, and nobody received another candidate's link. */
function expectOwnLinks({ invitations }: PartnerService, count: number) {
	expect(new Set(google.mails.map(({ to }) => to)).size).toBe(count);
	expect(google.mails).toHaveLength(count);
	for (const { to, text } of google.mails) {
		const own = invitations.find(({ email }) => email === to);
		expect(text).toContain(`: ${own?.invitation_link}\n`);
	}
}

/** Expects each row to have its own link, too. */
function expectInvited(service: PartnerService, count: number) {
	expectOwnLinks(service, count);
	for (const { application_id: link_for, ...row } of google.rows) {
		const own = service.invitations.find((each) => each.ext_reference_id === link_for);
		expect(row).toMatchObject({ ...SENT, invitation_link: own?.invitation_link, link_for });
	}
}
