import { DateTime } from 'luxon';

import { expect, invitationOf, rowOf, test, ZONE, type Row } from '../support/exampleFixtures.mts';

const EXAMPLE = 'invite-from-a-list';
const MORNING = 'Every Morning At 8';
const HOUR = 'Every Hour';

test('each row is invited once, with its own link, and says what became of it; whoever has a word of their own is left alone', async ({
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const cases: Array<[row: Row, becomes: Row]> = [
		[rowOf('A'), { status: 'invited' }],
		// A second person with the same ID, and the first one again.
		[rowOf('A', { email: 'other@people.example' }), { status: 'invited' }],
		[rowOf('A', { status: 'new' }), { status: 'invited', invitation_link: null }],
		[
			rowOf('B', { status: 'New', job_id: '' }),
			{ status: 'invalid', problem: expect.stringMatching(/^Job ID: required/) },
		],
		[
			rowOf('C', { status: '', invitation_link: 'https://a.example/old', link_sent_at: 'then' }),
			{ status: 'invited' },
		],
		[rowOf('D'), { status: 'refused', problem: expect.stringMatching(/\S/) }],
		[rowOf('E'), { status: 'unknown', problem: expect.stringMatching(/^Couldn't confirm/) }],
		[
			rowOf('F'),
			{ status: 'invited', problem: expect.stringMatching(/^No link came/), invitation_link: null },
		],
		[rowOf('G', { status: 'withdrawn' }), { status: 'withdrawn', invitation_link: null }],
		[rowOf('H', { status: 'unknown' }), { status: 'unknown', invitation_link: null }],
	];
	await applications.add(...cases.map(([row]) => row));
	const about = (id: string) => ({
		when: ({ body }: { body: unknown }) => JSON.stringify(body).includes(`"${id}"`),
		times: 9,
	});
	service.faults.inject({ route: 'createInvitation', status: 422, ...about('D') });
	service.faults.inject({ route: 'createInvitation', status: 500, ...about('E') });
	const noLink = {
		toJSON: () => ({ data: { ...invitationOf(service, 'F'), invitation_link: null }, meta: null }),
	};
	service.faults.inject({
		route: 'createInvitation',
		processFirst: true,
		status: 200,
		body: noLink,
		...about('F'),
	});
	const { run } = await importExample(EXAMPLE, { isDraft: true });
	await run(MORNING);
	const rows = await applications.all();
	const own = (row: Row) =>
		service.invitations.find(({ email }) => email === row.email)?.invitation_link;
	expect(rows).toMatchObject(
		cases.map(([row, becomes]) => ({ invitation_link: own(row) ?? null, ...becomes })),
	);

	for (const start of [HOUR, MORNING, HOUR]) await run(start);
	const mailed = rows.filter(
		({ status, invitation_link }) => status === 'invited' && invitation_link,
	);
	expect(mailServer.mails).toEqual(
		mailed.map(({ email, first_name, open_until, invitation_link }) => {
			const moment = DateTime.fromISO(open_until, { zone: ZONE }).toFormat('MMMM d, HH:mm ZZZZ');
			const text = expect.stringContaining(`Hello ${first_name},`);
			return {
				to: email,
				text: expect.stringMatching(`assessment by ${moment}: ${invitation_link}`) && text,
			};
		}),
	);
	const sent = { link_sent_at: expect.stringMatching(/^20/), problem: '' };
	expect(await applications.all()).toMatchObject(
		rows.map((row) => (mailed.includes(row) ? sent : { link_sent_at: row.link_sent_at })),
	);
	expect(service.invitations).toHaveLength(4);
});

test('a row keeps the word that a person writes while it is invited; what could not be written is written by a retry; two runs at once send once', async ({
	service,
	applications,
	importExample,
	n8n: { client },
}) => {
	const { id, run, retry } = await importExample(EXAMPLE, { isDraft: true });
	await applications.add(rowOf('A'), rowOf('B'));
	service.faults.inject({ route: 'createInvitation', delayMs: 3_000, times: 2 });
	const first = client.run(id, MORNING);
	await expect.poll(() => service.requests.length).toBe(1);
	await applications.write('b@people.example', { status: 'withdrawn' });
	const second = client.runToEnd(id, MORNING);
	for (const execution of [await client.waitForExecution(await first), await second])
		expect(execution.status).toBe('success');
	const link = (reference: string) => ({
		invitation_link: invitationOf(service, reference).invitation_link,
	});
	const [a, b] = [
		{ status: 'invited', ...link('A') },
		{ status: 'withdrawn', ...link('B') },
	];
	expect(await applications.all()).toMatchObject([a, b]);

	await applications.add(rowOf('C'));
	const mend = await applications.breakColumn('open_until');
	const failed = await run(MORNING, /open_until/);
	await mend();
	await retry(failed);
	await run(MORNING);
	expect(await applications.all()).toMatchObject([
		a,
		b,
		{ status: 'invited', problem: '', ...link('C') },
	]);
	expect(service.invitations).toHaveLength(3);
});

for (const [trial, how] of Object.entries({
	'Check Only': { parameters: { 'Invite Candidates': { options: { checkOnly: true } } } },
	'Invite deactivated': { off: ['Invite Candidates'] },
	'mails deactivated': { off: ['Send The Link'] },
})) {
	test(`a trial with ${trial} changes no row, and sends nothing`, async ({
		service,
		applications,
		importExample,
		mailServer,
	}) => {
		const invited = rowOf('B', { status: 'invited', invitation_link: 'https://a.example/1' });
		await applications.add(
			...(trial.startsWith('mails') ? [] : [rowOf('A'), rowOf('C', { ...invited, status: 'new' })]),
			invited,
		);
		const { run } = await importExample(EXAMPLE, { ...how, isDraft: true });
		const before = await applications.all();
		await run(MORNING);
		if (trial.startsWith('mails')) await run(HOUR);
		expect(await applications.all()).toEqual(before);
		expect([service.requests, mailServer.mails]).toEqual([[], []]);
	});
}
