import { inviteAt } from '../../support/invite.mts';
import { dayIn, lastMomentOf, LOS_ANGELES } from '../support/timeZones.mts';
import { editNode } from '../support/workflows.mts';
import { runOf, test as base } from '../support/eachWay.mts';
import {
	expect,
	IN_LOS_ANGELES,
	nodesRun,
	PERSON,
	waitForStatuses,
	type Row,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'catch-up';
const HAND_OVER = 'Hand Over The Result';
const MAILED = { mails: ['Send The Link', 'Send The Reminder'], unpin: true };
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const LATER = inDays(10);
// The day there ends within UTC's next day.
const SOON = lastMomentOf(LOS_ANGELES, 2).toISOString();
const DUE = { open_until: SOON, link_sent_at: 'November 2' };
const scores = [{ score_type: 'role_fit', score_value: 85, score_format: 100 }];

/** What a row may need: a mail, with the words before its link, and how the row changes. */
type Need = readonly [words: string, change: object];
const now = expect.stringMatching(/^20/);
const sends = (by = ''): Need => [`assessment${by}`, { link_sent_at: now, problem: '' }];
const [LINK, UNDATED, DATED] = [` by ${dayIn(LOS_ANGELES, LATER)}`, '', ' by December 15'].map(
	sends,
);
const open = `is open until ${dayIn(LOS_ANGELES, SOON)}`;
const REMINDER: Need = [open, { reminded_at: now, problem: '' }];
const says = (problem: RegExp): Need => ['', { problem: expect.stringMatching(problem) }];
const SCORED = says(/status ".*".*once the status says completed/);
const RESULT: Need = ['', { status: 'completed' }];
const FOUND: Need = ['', { status: 'completed', role_fit: expect.any(Number) }];
const NOTHING: Need = ['', {}];

type Case = [row: Partial<Row>, need: Need, answer?: object | 'finished'];
const each = (column: string, values: Array<string | null>, need: Need) =>
	values.map((value): Case => [{ [column]: value }, need]);

const CASES: Case[] = [
	[{ ...DUE, email: 'refused@people.example' }, REMINDER],
	[{ open_until: LATER }, FOUND, 'finished'],
	[DUE, FOUND, 'finished'],
	[DUE, REMINDER],
	[{ open_until: SOON.replace('T', ' ') }, REMINDER],
	[{ open_until: SOON, reminded_at: 'yes' }, NOTHING],
	[{ open_until: LATER }, LINK],
	[{ open_until: LATER, link_sent_at: ' ' }, LINK],
	[{ open_until: LATER, link_sent_at: 'yes' }, NOTHING],
	...each('open_until', [inDays(-1), '2020-12-15'], NOTHING),
	// Rows written by hand, or from an old backup.
	...each('status', [null, 'Interview', ' INVITED '], UNDATED),
	...each('open_until', ['', '15.12.2099', 'Invalid DateTime', '1797350400'], UNDATED),
	...each('open_until', ['2099-12-15', ' 2099-12-15T18:00 '], DATED),
	...each('link_sent_at', ['yes'], NOTHING),
	...each('status', ['Completed '], NOTHING),
	...each('invitation_link', ['https://assessment.example.com/x'], says(/^20\S+: No candidate/)),
	[DUE, RESULT, { status: 'COMPLETED', scores }],
	[DUE, RESULT, { status: ' Completed', scores, ext_reference_id: null }],
	[DUE, RESULT, { status: 'completed', scores: null }],
	[DUE, SCORED, { status: 'scored', scores }],
	[DUE, SCORED, { status: null, scores }],
	[DUE, REMINDER, { first_name: null, invitation_link: null, email: null }],
	[DUE, REMINDER, { status: 7, ext_reference_id: undefined, job_id: null }],
];

const test = base.extend<{
	/** Invites one for each row without n8n. @returns the rows */
	invited: (rows: Case[]) => Promise<Row[]>;
}>({
	invited: async ({ service }, use) =>
		await use(async (rows) => {
			const people: Row[] = [];
			for (const [index, [row, , answer]] of rows.entries()) {
				const { invitation_code, ...made } = await inviteAt(service);
				const { ext_reference_id: application_id, job_id, invitation_link } = made;
				const own = { application_id, job_id, invitation_link, status: 'invited', ...row };
				people.push({ ...PERSON, email: `${index}@people.example`, ...own });
				const data = { ...made, additional_scores: [], scores: [], ...Object(answer) };
				const when = ({ path }: { path: string }) => path.includes(invitation_code);
				const body = { data, meta: null };
				if (answer === 'finished') await service.finish(invitation_code);
				else if (answer)
					service.faults.inject({ route: 'getCandidate', status: 200, times: 9, body, when });
			}
			return people;
		}),
});

test(`${EXAMPLE}: missed results go on, links that are due and reminders are sent once, or the row says why not`, async ({
	n8n: { client },
	applications,
	importExample,
	schedule,
	invited,
	mailServer: server,
}) => {
	const people = await invited(CASES);
	const { id: handsOverTo } = await importExample('result-to-decision', { isPublished: true });
	const night = await schedule(EXAMPLE, people, { ...MAILED, handsOverTo, ...IN_LOS_ANGELES });
	server.refused = 'refused@people.example';
	await night();
	// The row's address counts: it may have been corrected since the invitation. Only this mail is tried again.
	const problem = expect.stringMatching(/^The reminder was not emailed: \S/);
	expect((await applications.all())[0]).toMatchObject({ reminded_at: '', problem });
	server.refused = undefined;
	await night();
	const rows = people.map((row, index) => ({ ...row, ...CASES[index][1][1] }));
	const count = CASES.filter(([, need]) => need === RESULT || need === FOUND).length;
	const runs = await waitForStatuses(client, handsOverTo, Array(count).fill('waiting'));
	for (const run of runs) expect(nodesRun(run)[0]).toBe('When A Late Result Is Handed Over');
	expect(await applications.all()).toMatchObject(rows);
	const mails = people.flatMap(({ email, invitation_link }, index) => {
		const [words] = CASES[index][1];
		const text = expect.stringMatching(`Hello Maya,[^]*${words}: ${invitation_link}\r\n`);
		return words ? [{ to: email, text }] : [];
	});
	expect(server.mails).toHaveLength(mails.length);
	expect(server.mails).toEqual(expect.arrayContaining(mails));
});

test(`${EXAMPLE}: what fails keeps nothing from the others, and a run fails if nobody would hear of it`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	invited,
	mailServer,
}) => {
	const { id: decision } = await importExample('result-to-decision');
	// n8n finds no workflow to hand results over to.
	const workflow = await importExample(EXAMPLE, { ...MAILED, handsOverTo: 'none' });
	const night = runOf(workflow, client);
	const finished: Case = [{}, RESULT, 'finished'];
	const people = await invited([finished, finished, [{}, UNDATED], [DUE, REMINDER]]);
	await applications.add(people);

	// The mail server stays down for more than a night.
	mailServer.isDown = true;
	for (const _ of [1, 2]) await night(/^No mail went out\. .*451.*handed over: 2\. Is Result to/s);
	mailServer.isDown = false;
	await night(/^Results that couldn't be handed over: 2\. Is Result to decision published\? \S/);
	expect(mailServer.mails).toHaveLength(2);
	await client.publish(decision);
	const workflowId = { __rl: true, mode: 'list', value: decision };
	const { parameters } = workflow.nodes.find(({ name }) => name === HAND_OVER)!;
	await editNode(client, workflow.id, HAND_OVER, { parameters: { ...parameters, workflowId } });
	await night();
	await waitForStatuses(client, decision, ['waiting', 'waiting']);
	const statuses = (await applications.all()).map(({ status }) => status);
	expect(statuses).toEqual(['completed', 'completed', 'invited', 'invited']);

	// A column is missing, so mails couldn't be noted.
	await applications.correct(people[2].application_id, { link_sent_at: '' });
	const undo = await applications.renameColumn('reminded_at');
	for (const _ of [1, 2]) await night(/reminded_at/);
	expect(mailServer.mails).toHaveLength(2);
	await undo();

	service.faults.inject({ route: 'getCandidate', status: 401, times: 2 });
	await night(/^No application could be looked up\. .*token/s);
	const said = { status: 'invited', problem: expect.stringMatching(/^20\S+: .*token/) };
	expect((await applications.all()).slice(2)).toMatchObject([said, said]);
});
