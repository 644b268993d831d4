import type { Execution } from '../../../tools/n8n/client.mts';
import { inviteAt } from '../../support/invite.mts';
import {
	expect,
	invitationOf,
	invitedRow,
	roleFit,
	rowOf,
	TEAM,
	test,
} from '../support/exampleFixtures.mts';

const EXAMPLE = 'result-to-decision';

/** Opens the address in a mail to the team, and submits the form behind it. */
async function decide(mail: { text: string }, decision: string): Promise<string> {
	const [address] = /http[^"\s]*webhook-waiting[^"\s]*/.exec(mail.text)!;
	const url = address.replaceAll('&amp;', '&');
	const headers = { 'user-agent': 'Mozilla/5.0 Chrome/140.0' };
	const page = await (await fetch(url, { headers })).text();
	const body = new FormData();
	body.set('field-0', decision);
	await fetch(url, { method: 'POST', headers, body });
	return page;
}
const statuses = (executions: Execution[]) => executions.map(({ status }) => status);

test('a result goes into the row that has its link, and into no other; a call that comes twice asks once; a decision counts once', async ({
	service,
	applications,
	importExample,
	mailServer: { mails },
}) => {
	const { executions } = await importExample(EXAMPLE);
	const invitation = await inviteAt(service);
	const { invitation_link, ext_reference_id, job_id } = invitation;
	// Two more rows for the same person and ID; and a result of somebody who has none.
	const other = rowOf(ext_reference_id, {
		job_id,
		status: 'invited',
		invitation_link: 'https://a.example/other',
	});
	await applications.add(other, invitedRow(invitation), { ...other, invitation_link: null });
	service.faults.inject({ route: 'getCandidate', delayMs: 2_000, times: 2 });
	await service.finish(invitation.invitation_code);
	await Promise.all([1, 2].map(() => service.redeliver(service.deliveries[0]!.id)));
	const { status: one, ...rest } = (await executions(3)).reduce<Record<string, number>>(
		(all, { status }) => ({ ...all, [status]: (all[status] ?? 0) + 1 }),
		{},
	);
	expect([one, rest]).toEqual([undefined, { waiting: 1, success: 2 }]);
	const scored = {
		status: 'completed',
		role_fit: roleFit(invitationOf(service, ext_reference_id)),
		invitation_link,
	};
	const untouched = { status: 'invited', role_fit: null };
	expect(await applications.all()).toMatchObject([untouched, scored, untouched]);

	expect(mails).toEqual([
		{ to: TEAM.toEmail, text: expect.stringContaining(`Role fit: ${scored.role_fit}`) },
	]);
	expect(await decide(mails[0]!, 'Interview')).toContain(
		'The candidate gets an email as soon as you submit.',
	);
	await expect.poll(() => mails.length).toBe(2);
	expect(mails[1]).toEqual({
		to: 'app-1@people.example',
		text: expect.stringContaining("We'd like to invite you"),
	});
	await decide(mails[0]!, 'Reject');
	await service.redeliver(service.deliveries[0]!.id);
	expect(statuses(await executions(4))).toEqual(['success', 'success', 'success', 'success']);
	expect(mails).toHaveLength(2);
	expect((await applications.all())[1]).toMatchObject({ ...scored, status: 'interview' });

	const stranger = await inviteAt(service);
	await service.finish(stranger.invitation_code);
	await executions(5);
	const added = {
		application_id: stranger.ext_reference_id,
		email: stranger.email,
		status: 'completed',
	};
	expect((await applications.all())[3]).toMatchObject({
		...added,
		invitation_link: stranger.invitation_link,
	});
});

test("a person's word counts, also where it is written while a form is open: scores are written, nobody is asked or mailed", async ({
	service,
	applications,
	importExample,
	mailServer: { mails },
}) => {
	const { executions } = await importExample(EXAMPLE);
	const [withdrawn, late] = [await inviteAt(service), await inviteAt(service)];
	await applications.add(
		invitedRow(withdrawn, { status: 'withdrawn' }),
		invitedRow(late, { status: 'expired', email: 'late@people.example' }),
	);
	for (const { invitation_code } of [withdrawn, late]) await service.finish(invitation_code);
	expect(statuses(await executions(2)).sort()).toEqual(['success', 'waiting']);
	await applications.write('late@people.example', { status: 'hired' });
	await decide(mails[0]!, 'Reject');
	await expect.poll(async () => statuses(await executions(2))).toEqual(['success', 'success']);
	const scores = (reference: string) => ({ role_fit: roleFit(invitationOf(service, reference)) });
	expect(await applications.all()).toMatchObject([
		{ status: 'withdrawn', ...scores(withdrawn.ext_reference_id) },
		{ status: 'hired', ...scores(late.ext_reference_id) },
	]);
	expect(mails).toHaveLength(1);
});

test('an answer without a score changes no row; a mail server that was down is retried; nobody is decided about where mails are deactivated', async ({
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const { executions, retry, id } = await importExample(EXAMPLE);
	const invitation = await inviteAt(service);
	await applications.add(invitedRow(invitation));
	const noScore = {
		...invitation,
		status: 'completed',
		scores: [{ score_type: 'role_fit', score_value: null, score_format: 100 }],
	};
	service.faults.inject({
		route: 'getCandidate',
		status: 200,
		body: { data: noScore, meta: null },
	});
	const { id: delivery } = (await service.finish(invitation.invitation_code))!;
	await executions(1);
	expect(await applications.all()).toMatchObject([{ status: 'invited', role_fit: null }]);

	mailServer.isDown = true;
	await service.redeliver(delivery);
	const [, failed] = await executions(2);
	expect(failed!.data.resultData.lastNodeExecuted).toBe('Ask For A Decision');
	mailServer.isDown = false;
	await retry(failed!);
	await decide(mailServer.mails[0]!, 'Reject');
	await expect.poll(async () => (await applications.all())[0]!.status).toBe('rejected');
	await expect.poll(() => mailServer.mails.length).toBe(2);

	await applications.write('app-1@people.example', { status: 'invited' });
	const quiet = ['Ask For A Decision', 'Send Interview Invitation', 'Send Rejection'];
	await importExample(EXAMPLE, {
		off: quiet,
		parameters: { 'When A Result Is Ready': { webhookId: service.createWebhook() } },
	});
	const other = await inviteAt(service);
	await applications.add(invitedRow(other, { email: 'quiet@people.example', status: '' }));
	expect(id).not.toBe('');
	await service.finish(other.invitation_code);
	await expect.poll(async () => (await applications.all())[1]!.status).toBe('completed');
});
