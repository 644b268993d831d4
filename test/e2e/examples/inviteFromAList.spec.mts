import { JOB, OTHER_JOB } from '../../support/example.mts';
import { dayIn, isoDayIn, LOS_ANGELES } from '../support/timeZones.mts';
import { SENT, test } from '../support/eachWay.mts';
import {
	expect,
	IN_LOS_ANGELES,
	invitationOf,
	PERSON,
	type Row,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'invite-from-a-list';
const MAILED = { mails: ['Send The Link'] };
const LINK = 'https://assessment.example.com/i/';
const NOT_INVITED = /^Not invited because of its status/;
const NO_LINK = /^No link is in this row/;
const SHARED = /^This ID is also that of \d\d?@people\.example: give each person their own/;

/** Rows, the problem that each says then, or true for those that are invited, and their new status. */
const ROWS: Array<[row: Partial<Row>, says: true | RegExp | string | null, status?: string]> = [
	[{ application_id: 'APP-A' }, true],
	[{ application_id: 'APP-A', email: '0@people.example' }, /^Duplicate or invited/, 'invited'],
	[{ email: '' }, /^Email: required/, 'invalid'],
	[{ status: 'Applied' }, NOT_INVITED],
	[{ status: 'New ' }, true],
	[{ status: 'NOTSENT', invitation_link: `${LINK}old` }, true],
	[{ application_id: ' APP-B ', job_id: ` ${JOB.toUpperCase()}` }, true],
	[{ application_id: 'APP-C' }, SHARED, 'invalid'],
	[{ application_id: 'APP-C' }, SHARED, 'invalid'],
	[{ status: '0' }, NOT_INVITED],
	[{ status: 'Active', problem: 'on vacation' }, 'on vacation'],
	[{ status: ' INVITED' }, NO_LINK],
	[{ invitation_link: LINK }, null],
	[{ status: 'Interview', invitation_link: LINK }, null],
	[{ status: 'Completed' }, null],
	[{ application_id: 'APP-U' }, /confirm whether/, 'unknown'],
];

/** The service's answers for others, whose links count all the same. */
const ANSWERS: Array<Record<string, unknown>> = [
	...[undefined, null, '2099-12-15 18:00:00', 4_100_000_000, 'in two weeks'].map((end) => {
		return { invitation_expired_at: end };
	}),
	...[undefined, null].map((ext_reference_id) => ({ ext_reference_id })),
	...[undefined, null, 'INVITED', 'completed'].map((status) => ({ status })),
	{ first_name: null, last_name: null, email: null, job_id: null },
];

test(`${EXAMPLE}: each row says what became of it, nobody is invited or mailed twice, and who may have been is kept for a human`, async ({
	service,
	applications,
	schedule,
	mailServer,
}) => {
	const all = [...ROWS, ...ANSWERS.map((): (typeof ROWS)[0] => [{}, true])];
	const people = all.map(([row], index): Row => {
		const email = `${index}@people.example`;
		return { ...PERSON, application_id: `${index}.`, email, job_id: JOB, ...row };
	});
	const answers: Record<string, Record<string, unknown> | undefined> = { 'APP-U': undefined };
	for (const [index, { application_id: id, ...row }] of people.slice(ROWS.length).entries()) {
		const made = { candidate_id: id, ext_reference_id: id, ...row, status: 'invited' };
		const end = { invitation_link: LINK + id, invitation_expired_at: '2099-12-15T18:00:00.000Z' };
		answers[id] = { ...made, ...end, ...ANSWERS[index] };
	}
	for (const [id, data] of Object.entries(answers))
		service.faults.inject({
			...{ route: 'createInvitation', status: data ? 200 : 500, processFirst: !data },
			...(data && { body: { data, meta: null } }),
			when: ({ body }) => JSON.stringify(body).includes(`"${id}"`),
		});
	const morning = await schedule(EXAMPLE, people, { ...MAILED, ...IN_LOS_ANGELES });
	await morning();
	const mails: object[] = [];
	const rows = all.map(([, says, status], index) => {
		const { application_id, ...person } = people[index];
		const problem = says instanceof RegExp ? expect.stringMatching(says) : says;
		if (says !== true) return { status: null, ...person, problem, ...(status && { status }) };
		const id = application_id.trim();
		const { invitation_link, invitation_expired_at } = answers[id] ?? invitationOf(service, id);
		const isRead = /^20/.test(String(invitation_expired_at));
		const end = new Date(isRead ? String(invitation_expired_at).replace(' ', 'T') : 0);
		const day = isRead ? ` by ${dayIn(LOS_ANGELES, end.toISOString())}` : '';
		const text = expect.stringMatching(`Hello Maya,[^]*assessment${day}: ${invitation_link}\r\n`);
		mails.push({ to: person.email, text });
		// The local day, and the moment.
		const open_until = isRead ? expect.stringMatching(`^${isoDayIn(LOS_ANGELES, end)}T`) : '';
		return { ...person, ...SENT, application_id: id, job_id: JOB, invitation_link, open_until };
	});
	const found = await applications.all();
	expect(found).toMatchObject(rows);
	expect(mailServer.mails).toEqual(mails);
	const { invitation_expired_at } = invitationOf(service, 'APP-A');
	expect(new Date(found[0].open_until)).toEqual(new Date(invitation_expired_at));
	const days = (Date.parse(invitation_expired_at) - Date.now()) / 86_400_000;
	expect([13, 14]).toContain(Math.floor(days));

	// Correcting the rows is enough.
	expect(service.requests).toHaveLength(mails.length + 1);
	await applications.correct('2.', { email: PERSON.email });
	await applications.correct('3.', { status: 'new' });
	for (const _ of [1, 2]) await morning();
	const now = await applications.all();
	expect([now[2], now[3]]).toMatchObject([SENT, SENT]);
	expect(service.requests).toHaveLength(mails.length + 3);
	expect(mailServer.mails).toHaveLength(mails.length + 2);
});

test(`${EXAMPLE}: a list that was imported into a new table is invited once its columns are there, and no row loses its ID`, async ({
	service,
	applications,
	schedule,
	mailServer,
}) => {
	const titles = ['first_name', 'last_name', 'email', 'job_id', 'status'];
	const texts = Object.fromEntries(titles.map((name) => [name, 'string']));
	const people = [4711, 4712, 4713].map((application_id) => {
		const email = `${application_id}@people.example`;
		return { ...PERSON, application_id, email, job_id: JOB, status: 'Active' };
	});
	await applications.importAs({ application_id: 'number', ...texts }, people as never);
	const morning = await schedule(EXAMPLE, [], MAILED);
	const missing = ['invitation_link', 'open_until', 'problem', 'link_sent_at'];
	await morning(new RegExp(`^Nobody was invited. The table has no column ${missing.join(', ')}:`));
	for (const column of missing) await applications.addColumn(column);
	await morning();
	expect(service.requests).toEqual([]);
	const said = { problem: expect.stringMatching(NOT_INVITED) };
	expect(await applications.all()).toMatchObject([said, said, said]);
	await applications.correct(4711 as never, { status: '' });
	await applications.correct(4712 as never, { status: null });
	for (const _ of [1, 2]) await morning();
	expect(service.invitations.map((each) => each.ext_reference_id)).toEqual(['4711', '4712']);
	expect(mailServer.mails.map(({ to }) => to)).toEqual(
		people.slice(0, 2).map(({ email }) => email),
	);
	const ids = people.map(({ application_id }) => ({ application_id }));
	expect(await applications.all()).toMatchObject([
		{ ...ids[0], ...SENT },
		{ ...ids[1], ...SENT },
		{ ...ids[2], ...said },
	]);
});

test(`${EXAMPLE}: a run fails if nobody could be invited, or no link emailed; the links come later, once`, async ({
	service,
	applications,
	schedule,
	mailServer,
}) => {
	const row = (application_id: string, more?: object) => {
		return { ...PERSON, application_id, job_id: JOB, ...more };
	};
	const morning = await schedule(EXAMPLE, [row('1'), row('2', { job_id: OTHER_JOB })], MAILED);
	service.faults.inject({ route: 'createInvitation', status: 401, times: 2 });
	await morning(/^Nobody was invited\. .*token/s);
	mailServer.isDown = true;
	await morning(/^No link was emailed\. .*451/s);
	const problem = expect.stringMatching(/^The link was not emailed: /);
	const invitation_link = expect.stringContaining('://');
	const unsent = { status: 'invited', problem, link_sent_at: '', invitation_link };
	expect(await applications.all()).toMatchObject([unsent, unsent]);
	mailServer.isDown = false;
	// A row's mistake, or its refused mail, is noted in the row.
	const email = 'refused@people.example';
	mailServer.refused = email;
	await applications.add([row('3', { email }), row('4'), row('X', { email: 'x' })]);
	await morning();
	expect(mailServer.mails.map(({ to }) => to)).toEqual([PERSON.email]);
	expect((await applications.rows())['3']).toMatchObject(unsent);
	await applications.correct('X', { email: PERSON.email });
	service.faults.inject({ route: 'createInvitation', reset: 'after' });
	await morning(/^Nobody was invited\. .*confirm .*E-CONNRESET/s);
});
