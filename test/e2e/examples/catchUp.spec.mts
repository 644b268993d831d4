import { inviteAt } from '../../support/invite.mts';
import { dayIn, lastMomentOf, LOS_ANGELES } from '../../support/timeZones.mts';
import { editNode } from '../../support/workflows.mts';
import { test } from './eachWay.mts';
import {
	expect,
	IN_LOS_ANGELES,
	invitationOf,
	nodesRun,
	PERSON,
	roleFit,
	waitForStatuses,
	type Row,
} from './fixtures.mts';

const EXAMPLE = 'catch-up';
const HAND_OVER = 'Hand Over The Result';
const MAILED = { mails: ['Send The Link', 'Send The Reminder'] };
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
// The day there ends within UTC's next day.
const SOON = lastMomentOf(LOS_ANGELES, 2).toISOString();
const DUE = { open_until: SOON, link_sent_at: 'November 2' };
const LATER = inDays(10);
const scores = [{ score_type: 'role_fit', score_value: 85, score_format: 100 }];
const dayOf = (moment: string) => dayIn(LOS_ANGELES, moment);
const LINK = `assessment by ${dayOf(LATER)}`;
const REMINDER = `is open until ${dayOf(SOON)}`;
const [UNDATED, DATED] = ['assessment', 'assessment by December 15'];
const SCORED = /status ".*".*once the status says completed/;

/** What a row has, what it leads to (the words before the link in a mail, a result, or a problem), and the service's answer. */
const ROWS: Array<[row: Partial<Row>, leadsTo: string | RegExp, answer?: object | 'finished']> = [
	[{ open_until: LATER }, 'result', 'finished'],
	[DUE, 'result', 'finished'],
	[{ ...DUE, email: 'refused@people.example' }, REMINDER],
	[DUE, REMINDER],
	[{ open_until: SOON }, REMINDER],
	[{ open_until: SOON.replace('T', ' '), link_sent_at: 'yes' }, REMINDER],
	[{ open_until: LATER }, LINK],
	[{ open_until: LATER, link_sent_at: ' ' }, LINK],
	[{ open_until: LATER, link_sent_at: 'yes' }, ''],
	[{ open_until: SOON, reminded_at: 'yes' }, ''],
	[{ open_until: inDays(-1) }, ''],
	[{ open_until: '2020-12-15' }, ''],
	// Rows written by hand, or from an old backup.
	...[
		{},
		{ status: null },
		{ status: 'Interview' },
		{ open_until: '' },
		{ status: ' INVITED ' },
	].map((more): [Partial<Row>, string] => [more, UNDATED]),
	...['15.12.2099', 'Invalid DateTime', '1797350400'].map((open_until): [Partial<Row>, string] => [
		{ open_until },
		UNDATED,
	]),
	...['2099-12-15', ' 2099-12-15T18:00 '].map((open_until): [Partial<Row>, string] => [
		{ open_until },
		DATED,
	]),
	[{ link_sent_at: 'yes' }, ''],
	[{ status: 'Completed ' }, ''],
	[{ invitation_link: 'https://assessment.example.com/nobody' }, /^20\S+: No candidate with this/],
	[DUE, 'result', { status: 'COMPLETED', scores }],
	[DUE, 'result', { status: ' Completed', scores, ext_reference_id: null }],
	[DUE, 'result', { status: 'completed', scores: null }],
	[DUE, SCORED, { status: 'scored', scores }],
	[DUE, SCORED, { status: null, scores }],
	[DUE, REMINDER, { first_name: null, invitation_link: null, email: null }],
	[DUE, REMINDER, { status: 7, ext_reference_id: undefined, job_id: null }],
];

/** Invites one for each row without n8n. @returns the rows */
async function invited(service: Parameters<typeof inviteAt>[0], rows: Array<Partial<Row>>) {
	const people: Row[] = [];
	for (const [index, row] of rows.entries()) {
		const { ext_reference_id, job_id, invitation_link } = await inviteAt(service);
		const own = { application_id: ext_reference_id, job_id, invitation_link, status: 'invited' };
		people.push({ ...PERSON, email: `${index}@people.example`, ...own, ...row });
	}
	return people;
}

test(`${EXAMPLE}: missed results go on once, links that are due and reminders are sent once, whatever the row and the service say, and the row says why not`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	schedule,
	mailServer,
}) => {
	const people = await invited(
		service,
		ROWS.map(([row]) => row),
	);
	for (const [index, [, , answer]] of ROWS.entries()) {
		const { invitation_code, invitation_link, ...made } = invitationOf(
			service,
			people[index].application_id,
		);
		if (answer === 'finished') await service.finish(invitation_code);
		else if (answer) {
			const data = { ...made, invitation_link, additional_scores: [], scores: [], ...answer };
			service.faults.inject({
				...{ route: 'getCandidate', status: 200, times: 9, body: { data, meta: null } },
				when: ({ path }) => path.includes(invitation_code),
			});
		}
	}
	const { id: handsOverTo } = await importExample('result-to-decision', { isPublished: true });
	const night = await schedule(EXAMPLE, people, { ...MAILED, handsOverTo, ...IN_LOS_ANGELES });
	mailServer.refused = 'refused@people.example';
	expect(await night()).toEqual(['success', undefined]);
	// The row's address counts: it may have been corrected since the invitation. Only this mail is tried again.
	const problem = expect.stringMatching(/^The reminder was not emailed: \S/);
	expect((await applications.all())[2]).toMatchObject({ reminded_at: '', problem });
	mailServer.refused = undefined;
	expect(await night()).toEqual(['success', undefined]);

	const results = ROWS.filter(([, leadsTo]) => leadsTo === 'result');
	const runs = await waitForStatuses(
		client,
		handsOverTo,
		results.map(() => 'waiting'),
	);
	for (const run of runs) expect(nodesRun(run)[0]).toBe('When A Late Result Is Handed Over');
	const mails: object[] = [];
	const rows = people.map((row, index) => {
		const [, leadsTo, answer] = ROWS[index];
		const { email, invitation_link } = row;
		const { link_sent_at, reminded_at, ...own } = { link_sent_at: null, reminded_at: null, ...row };
		const now = expect.stringMatching(/^20/);
		if (leadsTo instanceof RegExp) return { ...row, problem: expect.stringMatching(leadsTo) };
		if (leadsTo === 'result')
			return {
				...row,
				status: 'completed',
				...(answer === 'finished' && {
					role_fit: roleFit(invitationOf(service, row.application_id)),
				}),
			};
		if (leadsTo === '') return row;
		mails.push({
			to: email,
			text: expect.stringMatching(`Hello Maya,[^]*${leadsTo}: ${invitation_link}\r\n`),
		});
		return {
			...own,
			problem: '',
			...(leadsTo === REMINDER
				? { reminded_at: now, link_sent_at }
				: { reminded_at, link_sent_at: now }),
		};
	});
	expect(await applications.all()).toMatchObject(rows);
	expect(mailServer.mails).toHaveLength(mails.length);
	expect(mailServer.mails).toEqual(expect.arrayContaining(mails));
});

test(`${EXAMPLE}: what fails keeps nothing from the others, and a run fails if nobody would hear of it`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const { id: decision } = await importExample('result-to-decision');
	// n8n finds no workflow to hand results over to.
	const { id, nodes } = await importExample(EXAMPLE, {
		...MAILED,
		handsOverTo: 'none',
		unpin: true,
	});
	const night = async () => {
		const { status, data } = await client.runToEnd(id, 'Every Night At 3');
		return [status, data.resultData.error?.message];
	};
	const fails = (words: RegExp) => ['error', expect.stringMatching(words)];
	const late = { open_until: LATER };
	const people = await invited(service, [late, late, late, DUE]);
	for (const { application_id } of people.slice(0, 2))
		await service.finish(invitationOf(service, application_id).invitation_code);
	await applications.add(people);

	// The mail server stays down for more than a night.
	mailServer.isDown = true;
	for (const _ of [1, 2])
		expect(await night()).toEqual(
			fails(/^No mail went out\. .*451.*handed over: 2\. Is Result to decision pub/s),
		);
	mailServer.isDown = false;
	expect(await night()).toEqual(
		fails(/^Results that couldn't be handed over: 2\. Is Result to decision published\? \S/),
	);
	expect(mailServer.mails).toHaveLength(2);
	await client.publish(decision);
	const workflowId = { __rl: true, mode: 'list', value: decision };
	const { parameters } = nodes.find(({ name }) => name === HAND_OVER)!;
	await editNode(client, id, HAND_OVER, { parameters: { ...parameters, workflowId } });
	expect(await night()).toEqual(['success', undefined]);
	await waitForStatuses(client, decision, ['waiting', 'waiting']);
	const statuses = (await applications.all()).map(({ status }) => status);
	expect(statuses).toEqual(['completed', 'completed', 'invited', 'invited']);

	// A column is missing, so mails couldn't be noted.
	await applications.correct(people[2].application_id, { link_sent_at: '' });
	const undo = await applications.renameColumn('reminded_at');
	for (const _ of [1, 2]) expect(await night()).toEqual(fails(/reminded_at/));
	expect(mailServer.mails).toHaveLength(2);
	await undo();

	service.faults.inject({ route: 'getCandidate', status: 401, times: 2 });
	expect(await night()).toEqual(fails(/^No application could be looked up\. .*token/s));
	const said = { status: 'invited', problem: expect.stringMatching(/^20\S+: .*token/) };
	expect((await applications.all()).slice(2)).toMatchObject([said, said]);
});
