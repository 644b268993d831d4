import type { InvitationWithLinks } from '../../../mock-service/service.mts';
import { inviteAt } from '../../support/invite.mts';
import { expect, handOver, OFF, test } from '../support/exampleFixtures.mts';
import { invitedRow, momentOf, rowOf, says, scoresOf, type Row } from '../support/rows.mts';

const EXAMPLE = 'catch-up';
const NIGHT = 'Every Night At 3';
const open_until = new Date(Date.now() + 2 * 86_400_000).toISOString();
const LOST = { invitation_link: 'https://a.example/1' };
const ENDED = { open_until: new Date(Date.now() - 86_400_000).toISOString() };

test('each open row gets what it needs, once', async ({ service, table, mailServer, example }) => {
	const decision = await example('result-to-decision', { 'When A Result Is Ready': OFF });
	const { run } = await example(EXAMPLE, handOver(decision.id));
	const cases: Array<[id: string, row: Row, becomes: Row]> = [
		['open', {}, { status: 'invited', reminded_at: null, problem: null }],
		['missed', ENDED, { status: 'completed' }],
		['too', {}, { status: 'completed' }],
		// Completed, and not scored yet.
		['unscored', ENDED, { status: 'invited', problem: null }],
		['none', { invitation_link: '' }, { problem: null }],
		['waiting', { open_until }, { status: 'invited', reminded_at: null }],
		['soon', { open_until }, { status: 'invited', reminded_at: says(/^20/) }],
		['reminded', { open_until, reminded_at: 'then' }, { reminded_at: 'then' }],
		['ended', ENDED, { status: 'expired' }],
		// A person's word, while the night runs.
		['gone', ENDED, { status: 'withdrawn', problem: null }],
		['word', { open_until, status: 'not invited' }, { status: 'not invited', reminded_at: null }],
		['lost', LOST, { problem: says(/^20\d\d-\d\d-\d\d: \S/) }],
		['refused', { open_until }, { reminded_at: null, problem: says('out of order') }],
	];
	const invitations: Record<string, InvitationWithLinks> = {};
	for (const [id, row] of cases) {
		invitations[id] = await inviteAt(service);
		await table.add(invitedRow(id, invitations[id], row));
	}
	mailServer.refused = /^refused@/;
	const { missed, too, soon, word, ...others } = invitations;
	for (const { invitation_code } of [others.unscored!, others.waiting!]) {
		const body = { data: { ...soon, status: 'completed', scores: [] }, meta: null };
		const when = ({ path }: { path: string }) => path.includes(invitation_code);
		service.faults.inject({ route: 'getCandidate', status: 200, body, when, times: 9 });
	}
	await table.write('missed@people.example', { invitation_link: `${missed!.invitation_link}?a=b` });
	for (const each of [missed, too, word]) await service.finish(each!.invitation_code);
	const when = ({ path }: { path: string }) => path.includes(others.gone!.invitation_code);
	const slow = service.faults.inject({ route: 'getCandidate', delayMs: 2_000, when });
	const night = run(NIGHT);
	await expect.poll(() => slow.seen).toBe(1);
	await table.write('gone@people.example', { status: 'withdrawn' });
	await night;
	await run(NIGHT);
	const handedOver = await decision.executions(2);
	expect(handedOver.map(({ status }) => status)).toEqual(['waiting', 'waiting']);
	const rows = await table.all();
	expect(rows).toMatchObject(cases.map(([, , becomes]) => becomes));
	expect(rows[1]).toMatchObject(scoresOf(service, missed!.ext_reference_id));
	const text = says(`open until ${momentOf(open_until)}: ${soon!.invitation_link}`);
	expect(mailServer.mails).toHaveLength(3);
	expect(mailServer.mails).toContainEqual({ to: 'soon@people.example', text });
});

const checkOnly = { parameters: { options: { checkOnly: true } } };
for (const [name, start, node, change] of [
	['invite-from-a-list', 'Every Morning At 8', 'Invite Candidates', checkOnly],
	['invite-from-a-list', 'Every Morning At 8', 'Invite Candidates', OFF],
	['invite-from-a-list', 'Every Hour', 'Send The Link', OFF],
	['catch-up', NIGHT, 'Send The Reminder', OFF],
] as const) {
	const trial = `${node} ${'disabled' in change ? 'deactivated' : 'with Check Only'}`;
	test(`a trial writes nothing: ${trial}`, async ({ service, table, mailServer, example }) => {
		const old = invitedRow('B', await inviteAt(service), { open_until, link_sent_at: null });
		await table.add(rowOf('A'), old, { ...old, application_id: 'C', status: 'new' });
		const before = await table.all();
		const { run } = await example(name, { [node]: change, ...handOver('none') });
		await run(start);
		expect([await table.all(), mailServer.mails]).toEqual([before, []]);
		expect(service.invitations).toHaveLength(1);
	});
}
