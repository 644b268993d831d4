import type { Execution } from '../../../tools/n8n/client.mts';
import { inviteAt } from '../../support/invite.mts';
import { expect, handOver, OFF, test } from '../support/exampleFixtures.mts';
import { invitedRow, rowOf, says, scoresOf, withoutLink } from '../support/rows.mts';

const EXAMPLE = 'result-to-decision';

/** Opens the address in a mail to the team, and submits the form behind it. */
async function decide({ text }: { text: string }, decision: string): Promise<string> {
	const [address] = /http[^"\s]*webhook-waiting[^"\s]*/.exec(text)!;
	const url = address.replaceAll('&amp;', '&');
	const headers = { 'user-agent': 'Mozilla/5.0 Chrome/140.0' };
	const page = await (await fetch(url, { headers })).text();
	const body = new FormData();
	body.set('field-0', decision);
	await fetch(url, { method: 'POST', headers, body });
	return page;
}

const statuses = (executions: Execution[]) => executions.map(({ status }) => status).sort();

test('a result is in its own row, once', async ({ service, table, mailServer, example }) => {
	const { mails } = mailServer;
	const { id, executions } = await example(EXAMPLE);
	const { run } = await example('catch-up', handOver(id));
	const [one, two] = [await inviteAt(service), await inviteAt(service)];
	// An ID in a different spelling; somebody else with the ID; and the same person without a link.
	const [own, other] = [invitedRow('APP-1', one), invitedRow(one.ext_reference_id, two)];
	await table.add(own, other, { ...other, invitation_link: null });
	service.faults.inject({ route: 'getCandidate', delayMs: 2_000, times: 4 });
	const delivery = (await service.finish(one.invitation_code))!.id;
	const again = [1, 2].map(() => service.redeliver(delivery));
	await Promise.all([...again, run('Every Night At 3')]);
	expect(statuses(await executions(4))).toEqual(['success', 'success', 'success', 'waiting']);
	await service.finish(two.invitation_code);
	await executions(5);
	const [first, second] = [one, two].map(({ ext_reference_id }) => ({
		status: 'completed',
		...scoresOf(service, ext_reference_id),
	}));
	const untouched = { status: 'invited', role_fit: null };
	expect(await table.all()).toMatchObject([first, second, untouched]);
	expect(mails[0]).toEqual({ to: 'hr@people.example', text: says(`Role fit: ${first!.role_fit}`) });

	// A second form for the same row.
	await table.write(own.email, { status: 'invited' });
	await service.redeliver(delivery);
	await executions(6);
	expect(await decide(mails[0]!, 'Interview')).toContain('gets an email as soon as you submit.');
	await expect.poll(() => mails.length).toBe(4);
	expect(mails[3]).toEqual({ to: own.email, text: says("We'd like to invite you") });
	for (const form of [0, 2]) await decide(mails[form]!, 'Reject');
	await service.redeliver(delivery);
	const ended = Array(6).fill('success');
	await expect.poll(async () => statuses(await executions(7))).toEqual([...ended, 'waiting']);
	expect(mails).toHaveLength(4);
	expect((await table.all())[0]).toMatchObject({ ...first, status: 'interview' });

	const { invitation_link, ext_reference_id, email, invitation_code } = await inviteAt(service);
	await service.finish(invitation_code);
	await executions(8);
	const added = { application_id: ext_reference_id, email, invitation_link, status: 'completed' };
	expect((await table.all())[3]).toMatchObject(added);
});

test("a person's word stays", async ({ service, table, mailServer: { mails }, example }) => {
	const { executions } = await example(EXAMPLE);
	const [before, during] = [await inviteAt(service), await inviteAt(service)];
	await table.add(invitedRow('A', before, { status: 'withdrawn' }));
	await table.add(invitedRow('B', during, { status: 'expired' }));
	for (const { invitation_code } of [before, during]) await service.finish(invitation_code);
	expect(statuses(await executions(2))).toEqual(['success', 'waiting']);
	// While the form is open.
	await table.write('b@people.example', { status: 'not completed' });
	await decide(mails[0]!, 'Reject');
	await expect.poll(async () => statuses(await executions(2))).toEqual(['success', 'success']);
	expect(await table.all()).toMatchObject([
		{ status: 'withdrawn', ...scoresOf(service, before.ext_reference_id) },
		{ status: 'not completed', ...scoresOf(service, during.ext_reference_id) },
	]);
	expect(mails).toHaveLength(1);
});

test('late: a score, a mail server', async ({ service, table, mailServer, example }) => {
	const { executions, retry } = await example(EXAMPLE);
	const invitation = await inviteAt(service);
	await table.add(invitedRow('A', invitation), rowOf('B', { status: 'invited' }));
	const scores = [{ score_type: 'role_fit', score_value: null, score_format: 100 }];
	const data = { ...invitation, status: 'completed', scores };
	service.faults.inject({ route: 'getCandidate', status: 200, body: { data, meta: null } });
	const { id } = (await service.finish(invitation.invitation_code))!;
	await executions(1);
	// An answer without a link belongs to no row.
	const noLink = withoutLink(service, invitation.ext_reference_id);
	service.faults.inject({ route: 'getCandidate', ...noLink });
	await service.redeliver(id);
	await executions(2);
	const untouched = { status: 'invited', role_fit: null };
	expect(await table.all()).toMatchObject([untouched, untouched]);

	mailServer.refused = /./;
	await service.redeliver(id);
	const failed = (await executions(3)).at(-1);
	expect(failed!.data.resultData.lastNodeExecuted).toBe('Ask For A Decision');
	mailServer.refused = /^$/;
	await retry(failed!.id);
	await decide(mailServer.mails[0]!, 'Reject');
	await expect.poll(() => mailServer.mails.length).toBe(2);
	expect(mailServer.mails[1]!.text).toContain('go on with other applicants');
	expect(await table.all()).toMatchObject([{ status: 'rejected' }, untouched]);
});

for (const [off, status] of [
	[['Ask For A Decision'], 'completed'],
	[['Send Interview Invitation', 'Send Rejection'], 'rejected'],
] as const) {
	test(`a trial without ${off}`, async ({ service, table, mailServer: { mails }, example }) => {
		const changes = Object.fromEntries(off.map((node) => [node, OFF]));
		const { executions } = await example(EXAMPLE, changes);
		const invitation = await inviteAt(service);
		await table.add(invitedRow('A', invitation));
		await service.finish(invitation.invitation_code);
		await executions(1);
		for (const asked of mails.slice()) await decide(asked, 'Reject');
		await expect.poll(async () => statuses(await executions(1))).toEqual(['success']);
		expect(await table.all()).toMatchObject([{ status }]);
		expect(mails).toHaveLength(status === 'completed' ? 0 : 1);
	});
}
