import type { InvitationWithLinks } from '../../../mock-service/service.mts';
import {
	expect,
	handOver,
	inviteAt,
	invitedRow,
	momentOf,
	OFF,
	says,
	scoresOf,
	test,
	type Row,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'catch-up';
const NIGHT = 'Every Night At 3';
const open_until = new Date(Date.now() + 2 * 86_400_000).toISOString();
const ENDED = { open_until: new Date(Date.now() - 86_400_000).toISOString() };

test('each open row gets what it needs, once', async ({ service, table, mailServer, example }) => {
	const decision = await example('result-to-decision', { 'When A Result Is Ready': OFF });
	const { run } = await example(EXAMPLE, handOver(decision.id));
	const cases: Array<[id: string, row: Row, becomes: Row]> = [
		['open', {}, { status: 'invited', reminded_at: null, problem: null }],
		['missed', ENDED, { status: 'completed' }],
		['soon', { open_until }, { status: 'invited', reminded_at: says(/^20/) }],
		['reminded', { open_until, reminded_at: 'then' }, { reminded_at: 'then' }],
		['ended', ENDED, { status: 'expired' }],
		['withdrawn', { open_until, status: 'withdrawn' }, { status: 'withdrawn', reminded_at: null }],
		[
			'lost',
			{ invitation_link: 'https://a.example/1' },
			{ problem: says(/^20\d\d-\d\d-\d\d: \S/) },
		],
		['refused', { open_until }, { reminded_at: null, problem: says('out of order') }],
	];
	const invitations: Record<string, InvitationWithLinks> = {};
	for (const [id, row] of cases) {
		invitations[id] = await inviteAt(service);
		await table.add(invitedRow(id, invitations[id], row));
	}
	mailServer.refused = /^refused@/;
	const { missed, soon, withdrawn } = invitations;
	for (const each of [missed, withdrawn]) await service.finish(each!.invitation_code);
	for (const _ of [1, 2]) await run(NIGHT);
	const handedOver = await decision.executions(1);
	expect(handedOver.map(({ status }) => status)).toEqual(['waiting']);
	const rows = await table.all();
	expect(rows).toMatchObject(cases.map(([, , becomes]) => becomes));
	expect(rows[1]).toMatchObject(scoresOf(service, missed!.ext_reference_id));
	const text = says(`open until ${momentOf(open_until)}: ${soon!.invitation_link}`);
	expect(mailServer.mails).toHaveLength(2);
	expect(mailServer.mails).toContainEqual({ to: 'soon@people.example', text });
});

test('a trial without mails changes no row', async ({ service, table, mailServer, example }) => {
	await table.add(invitedRow('A', await inviteAt(service), { open_until }));
	const before = await table.all();
	const { run } = await example(EXAMPLE, { 'Send The Reminder': OFF, ...handOver('none') });
	await run(NIGHT);
	expect([await table.all(), mailServer.mails]).toEqual([before, []]);
});
