import { expect, test } from '../support/exampleFixtures.mts';
import { linkOf, momentOf, rowOf, says, withoutLink, type Row } from '../support/rows.mts';

const EXAMPLE = 'invite-from-a-list';
const MORNING = 'Every Morning At 8';
const HOUR = 'Every Hour';
const NO_LINK = { problem: says(/^No link came/), invitation_link: null };
const LINK = { invitation_link: 'https://a.example/1' };

test('each new row is invited and mailed once', async ({ service, table, mailServer, example }) => {
	const cases: Array<[id: string, row: Row, status: string, becomes?: Row]> = [
		['A', {}, 'invited'],
		// A second person with the same ID, and the first one again.
		['A', { email: 'other@people.example', status: 'refused' }, 'invited'],
		['A', { status: 'new' }, 'invited', { invitation_link: null, problem: says('Was invited') }],
		['B', { status: 'new', job_id: '' }, 'invalid', { problem: says(/^Job ID: required/) }],
		['C', { status: '', link_sent_at: 'then', ...LINK }, 'invited'],
		['D', { status: 'notSent' }, 'refused', { problem: says(/\S/) }],
		['E', {}, 'unknown', { problem: says(/^Couldn't confirm/) }],
		['F', { status: 'notSent' }, 'invited', NO_LINK],
		['K', { status: 'invalid', email: 'K@people.example ' }, 'invited'],
		['L', { status: 'new' }, 'invited'],
		['G', { status: 'withdrawn', ...LINK }, 'withdrawn', LINK],
		['H', { status: 'unknown' }, 'unknown'],
		['M', { status: 'invited', invitation_link: '' }, 'invited', { invitation_link: '' }],
		['I', { status: 'offer refused' }, 'offer refused'],
		['J', { status: 'not invited', ...LINK }, 'not invited', LINK],
	];
	await table.add(...cases.map(([id, row]) => rowOf(id, row)));
	const faults = { D: { status: 422 }, E: { status: 500 }, F: withoutLink(service, 'F') };
	for (const [id, fault] of Object.entries(faults)) {
		const when = ({ body }: { body: unknown }) => JSON.stringify(body).includes(`"${id}"`);
		service.faults.inject({ route: 'createInvitation', when, times: 9, ...fault });
	}
	const { run } = await example(EXAMPLE);
	await run(MORNING);
	const rows = await table.all();
	const links = new Map(service.invitations.map((each) => [each.email?.toLowerCase(), each]));
	const become = cases.map(([, , status, more], index) => {
		const { invitation_link = null } = links.get(rows[index]!.email) ?? {};
		return { status, invitation_link, ...more };
	});
	expect(rows).toMatchObject(become);

	mailServer.refused = /^l@/;
	await run(HOUR);
	expect((await table.all())[9]).toMatchObject({ link_sent_at: '', problem: says('out of order') });
	mailServer.refused = /^$/;
	for (const start of [MORNING, HOUR, HOUR]) await run(start);
	const mailed = rows.filter((row) => row.status === 'invited' && row.invitation_link);
	const mails = mailed.map(({ email: to, open_until, invitation_link }) => {
		const text = `Hello Maya,\n\nPlease complete your assessment by ${momentOf(open_until)}: `;
		return { to, text: says(text.replaceAll('\n', '\r\n') + invitation_link) };
	});
	expect(mailServer.mails).toEqual(mails);
	const sent = { link_sent_at: says(/^20/), problem: '' };
	expect(await table.all()).toMatchObject(
		rows.map((row) => (mailed.includes(row) ? sent : { link_sent_at: row.link_sent_at })),
	);
	expect(service.invitations).toHaveLength(6);
});

test('two runs, or one that stopped, lose nobody', async ({ n8n, service, table, example }) => {
	const { id, run, retry } = await example(EXAMPLE);
	await table.add(rowOf('A'), rowOf('B'), rowOf('wrong', { email: 'nobody' }));
	service.faults.inject({ route: 'createInvitation', delayMs: 3_000, times: 2 });
	const first = n8n.client.run(id, MORNING);
	await expect.poll(() => service.requests.length).toBe(1);
	// A person's words, while they are invited.
	for (const email of ['b@people.example', 'nobody'])
		await table.write(email, { status: 'withdrawn' });
	await run(MORNING);
	expect((await n8n.client.waitForExecution(await first)).status).toBe('success');

	await table.add(rowOf('C'));
	const mend = await table.breakColumn('open_until');
	const failed = await run(MORNING, /open_until/);
	await mend();
	await retry(failed.id);

	await table.add(rowOf('D'));
	service.faults.inject({ route: 'createInvitation', delayMs: 3_000 });
	const stopped = await n8n.client.run(id, MORNING);
	await expect.poll(() => service.requests.length).toBe(4);
	await n8n.client.stopExecution(stopped);
	const invited = { status: 'invited', problem: '' };
	// At first, the stopped run may still wait for the answer.
	await expect(async () => {
		await run(MORNING);
		expect((await table.all()).at(-1)).toMatchObject({ ...invited, ...linkOf(service, 'D') });
	}).toPass();
	expect(await table.all()).toMatchObject([
		{ ...invited, ...linkOf(service, 'A') },
		{ status: 'withdrawn', ...linkOf(service, 'B') },
		{ status: 'withdrawn', problem: null },
		{ ...invited, ...linkOf(service, 'C') },
		invited,
	]);
	const addresses = service.invitations.map(({ email }) => email);
	expect(new Set(addresses).size).toBe(addresses.length);
});
