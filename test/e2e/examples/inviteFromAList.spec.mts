import { JOB, OTHER_JOB } from '../../support/example.mts';
import { isoDayIn, LOS_ANGELES } from '../support/timeZones.mts';
import {
	expect,
	IN_LOS_ANGELES,
	invitationOf,
	nodesRun,
	PERSON,
	test,
	type Row,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'invite-from-a-list';
const START = 'Every Morning At 8';
const row = (application_id: string, more: Partial<Row> = {}): Row => ({
	...PERSON,
	application_id,
	job_id: JOB,
	...more,
});

test(`${EXAMPLE}: each row says what became of it, nobody is invited twice, and who may have been is kept for a human`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
}) => {
	const { id } = await importExample(EXAMPLE, { unpin: true, ...IN_LOS_ANGELES });
	const good = ['APP-1', 'APP-2', 'APP-3', 'APP-4'];
	const link = 'https://assessment.example.com/i/1';
	await applications.add([
		row('APP-1'),
		row('APP-2', { status: 'New ' }),
		row('APP-3', { status: 'NOTSENT' }),
		// With spaces, a job in capitals, and an old link.
		row(' APP-4 ', { job_id: ` ${JOB.toUpperCase()}`, status: 'new', invitation_link: link }),
		row('APP-X', { email: '' }),
		// The application is in the table twice.
		row('APP-1', { status: 'new' }),
		// Two people share an ID.
		row('APP-Z'),
		row('APP-Z', { email: 'ben@people.example' }),
		// The user's own values.
		...['Applied', 'true', '0'].map((status) => row(`APP-${status}`, { status })),
		row('APP-noted', { status: 'Active', problem: 'on vacation' }),
		// Values entered by hand.
		row('APP-I', { status: ' INVITED' }),
		row('APP-K', { status: 'Unknown' }),
		row('APP-L', { invitation_link: link }),
		row('APP-M', { status: 'Interview', invitation_link: link }),
		row('APP-C', { status: 'Completed' }),
		row('APP-U'),
	]);
	service.faults.inject({
		...{ route: 'createInvitation', status: 500, processFirst: true },
		when: ({ body }) => JSON.stringify(body).includes('APP-U'),
	});
	const first = await client.runToEnd(id, START);
	expect(first.status).toBe('success');
	const invited = () => service.invitations.map((each) => each.ext_reference_id);
	expect(invited().sort()).toEqual([...good, 'APP-U']);
	const rows = await applications.rows();
	for (const application of good.slice(1)) {
		const { invitation_link, invitation_expired_at } = invitationOf(service, application);
		const closes = new Date(invitation_expired_at);
		// The local day, and the moment.
		const day = isoDayIn(LOS_ANGELES, closes);
		expect(rows[application]).toMatchObject({
			status: 'invited',
			job_id: JOB,
			invitation_link,
			open_until: expect.stringMatching(new RegExp(`^${day}T`)),
			problem: '',
		});
		expect(new Date(rows[application]?.open_until)).toEqual(closes);
		const days = (closes.getTime() - Date.now()) / 86_400_000;
		expect([13, 14]).toContain(Math.floor(days));
	}
	const said = (await applications.all()).map(({ status, problem }) => [status, problem || null]);
	const isShared = (other: string) =>
		`This ID is also that of ${other}: give each person their own`;
	const notInvited = expect.stringMatching(/^Not invited because of its status/);
	const noLink = expect.stringMatching(/^No link is in this row/);
	expect(said.slice(4)).toEqual([
		['invalid', expect.stringMatching(/^Email: required/)],
		['invited', expect.stringMatching(/^Duplicate or invited earlier/)],
		['invalid', isShared('ben@people.example')],
		['invalid', isShared(PERSON.email)],
		...['Applied', 'true', '0'].map((status) => [status, notInvited]),
		['Active', 'on vacation'],
		[' INVITED', noLink],
		['Unknown', noLink],
		[null, null],
		['Interview', null],
		['Completed', null],
		['unknown', expect.stringMatching(/confirm whether/)],
	]);

	// Correcting the rows is enough.
	await applications.correct('APP-X', { email: PERSON.email });
	await applications.correct('APP-Applied', { status: 'new' });
	await client.runToEnd(id, START);
	expect(invited().slice(5).sort()).toEqual(['APP-Applied', 'APP-X']);
	expect((await applications.rows())['APP-Applied']).toMatchObject({
		status: 'invited',
		problem: '',
	});
	const third = await client.runToEnd(id, START);
	expect(nodesRun(third)).not.toContain('Invite Candidates');
});

test(`${EXAMPLE}: a list that was imported into a new table is invited once its columns are there, and no row loses its ID`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const types = { application_id: 'number', first_name: 'string', last_name: 'string' };
	const people = [1, 2, 3].map((number) => {
		const email = `${number}@people.example`;
		return { ...PERSON, application_id: 4710 + number, email, job_id: JOB, status: 'Active' };
	});
	const own = { email: 'string', job_id: 'string', status: 'string' };
	await applications.importAs({ ...types, ...own }, people as never);
	const { id } = await importExample(EXAMPLE, { mails: ['Send The Link'], unpin: true });
	const refused = await client.runToEnd(id, START);
	expect(refused.status).toBe('error');
	const missing = ['invitation_link', 'open_until', 'problem', 'link_sent_at'];
	expect(refused.data.resultData.error?.message).toContain(
		`Nobody was invited. The table has no column ${missing.join(', ')}:`,
	);
	expect(service.requests).toEqual([]);

	for (const column of missing) await applications.addColumn(column);
	await client.runToEnd(id, START);
	expect(service.requests).toEqual([]);
	for (const { problem } of await applications.all()) expect(problem).toMatch(/^Not invited/);
	await applications.correct(4711 as never, { status: '' });
	await applications.correct(4712 as never, { status: null });
	expect((await client.runToEnd(id, START)).status).toBe('success');
	expect((await client.runToEnd(id, START)).status).toBe('success');
	expect(service.invitations.map((each) => each.ext_reference_id)).toEqual(['4711', '4712']);
	expect(mailServer.mails.map(({ to }) => to)).toEqual(['1@people.example', '2@people.example']);
	const rows = await applications.all();
	expect(rows.map(({ application_id }) => application_id)).toEqual([4711, 4712, 4713]);
	for (const { link_sent_at } of rows.slice(0, 2)) expect(link_sent_at).toMatch(/^20/);
});

const DECEMBER = 'by December 15: ';

test(`${EXAMPLE}: whatever the service's answer lacks, a link is written and mailed, and a date that can't be read is left out`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const date = { invitation_expired_at: '2099-12-15T18:00:00.000Z' };
	const answers: Record<string, [answer: object, day: string]> = {
		'no date': [{ invitation_expired_at: undefined }, ''],
		null: [{ invitation_expired_at: null }, ''],
		'a blank': [{ invitation_expired_at: '2099-12-15 18:00:00' }, DECEMBER],
		seconds: [{ invitation_expired_at: 4_100_000_000 }, ''],
		words: [{ invitation_expired_at: 'in two weeks' }, ''],
		'no reference': [{ ...date, ext_reference_id: undefined }, DECEMBER],
		'no reference at all': [{ ...date, ext_reference_id: null }, DECEMBER],
		'no names': [{ ...date, first_name: null, last_name: null, email: null }, DECEMBER],
		'no job': [{ ...date, job_id: null }, DECEMBER],
		'no status': [{ ...date, status: undefined }, DECEMBER],
		'status null': [{ ...date, status: null }, DECEMBER],
		capitals: [{ ...date, status: 'INVITED' }, DECEMBER],
		completed: [{ ...date, status: 'completed' }, DECEMBER],
	};
	const people = Object.keys(answers).map((what, index) =>
		row(`APP-${index}.`, { last_name: what, email: `${index}@people.example` }),
	);
	for (const { application_id, last_name, email } of people) {
		const [answer] = answers[last_name]!;
		const names = { first_name: 'Maya', last_name, email, job_id: JOB };
		const data = {
			...{ candidate_id: application_id, ext_reference_id: application_id, ...names },
			...{
				status: 'invited',
				invitation_link: `https://assessment.example.com/i/${application_id}`,
			},
			...answer,
		};
		service.faults.inject({
			...{ route: 'createInvitation', status: 200, body: { data, meta: null } },
			when: ({ body }) => JSON.stringify(body).includes(`"${application_id}"`),
		});
	}
	const { id } = await importExample(EXAMPLE, { mails: ['Send The Link'], unpin: true });
	await applications.add(people);
	for (const _ of [1, 2]) expect((await client.runToEnd(id, START)).status).toBe('success');
	const rows = await applications.rows();
	expect(service.requests).toHaveLength(people.length);
	for (const { application_id, last_name, email } of people) {
		const [, day] = answers[last_name]!;
		const link = `https://assessment.example.com/i/${application_id}`;
		expect([last_name, rows[application_id]]).toMatchObject([
			last_name,
			{ last_name, email, job_id: JOB, status: 'invited', invitation_link: link, problem: '' },
		]);
		expect(rows[application_id]?.open_until).toMatch(day ? /^2099-12-15T/ : /^$/);
		const mails = mailServer.mails.filter((mail) => mail.to === email);
		expect(mails).toEqual([
			{ to: email, text: expect.stringContaining(`${day && ' '}${day || ': '}${link}`) },
		]);
		expect(mails[0]?.text).toContain('Hello Maya,');
	}
});

test(`${EXAMPLE}: a run fails if nobody could be invited, or no link emailed; the links come later, once`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const { id } = await importExample(EXAMPLE, { mails: ['Send The Link'], unpin: true });
	const morning = async () => {
		const { status, data } = await client.runToEnd(id, START);
		return [status, data.resultData.error?.message];
	};
	await applications.add([row('APP-1'), row('APP-2', { job_id: OTHER_JOB })]);
	service.faults.inject({ route: 'createInvitation', status: 401, times: 2 });
	expect(await morning()).toEqual([
		'error',
		expect.stringMatching(/^Nobody was invited\. .*token/s),
	]);
	mailServer.isDown = true;
	expect(await morning()).toEqual([
		'error',
		expect.stringMatching(/^No link was emailed\. .*451/s),
	]);
	for (const { status, problem, link_sent_at, invitation_link } of await applications.all()) {
		expect([status, Boolean(link_sent_at)]).toEqual(['invited', false]);
		expect(problem).toMatch(/^The link was not emailed: /);
		expect(invitation_link).toMatch(/:\/\//);
	}
	mailServer.isDown = false;
	// A row's mistake, or its refused mail, is noted in the row.
	mailServer.refused = 'refused@people.example';
	await applications.add([
		row('APP-3', { email: 'refused@people.example' }),
		row('APP-4'),
		row('APP-X', { email: 'x' }),
	]);
	expect(await morning()).toEqual(['success', undefined]);
	expect(mailServer.mails.map(({ to }) => to)).toEqual([PERSON.email]);
});
