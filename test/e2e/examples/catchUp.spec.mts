import type { InvitationWithLinks } from '../../../mock-service/service.mts';
import { inviteAt } from '../../support/invite.mts';
import { dayIn, lastMomentOf, LOS_ANGELES } from '../../support/timeZones.mts';
import {
	expect,
	IN_LOS_ANGELES,
	invitationOf,
	nodesRun,
	PERSON,
	roleFit,
	test,
	waitForStatuses,
	type Row,
} from './fixtures.mts';

const EXAMPLE = 'catch-up';
const START = 'Every Night At 3';
const HAND_OVER = 'Hand Over The Result';
const DAY_MS = 24 * 3_600_000;

test(`${EXAMPLE}: results that were missed go on; links that are due and reminders are sent once`, async ({
	n8n: { client },
	service,
	applications,
	importExample,
	mailServer,
}) => {
	const { id: decision } = await importExample('result-to-decision', { isPublished: true });
	await client.unpublish(decision);
	const mails = ['Send The Link', 'Send The Reminder'];
	const { id } = await importExample(EXAMPLE, { mails, handsOverTo: decision, unpin: true });
	const invitations = await Promise.all(Array.from({ length: 8 }, () => inviteAt(service)));
	const [completed, finishedLate, closing, early, waiting, closed, unclear, emptied] = invitations;
	const link_sent_at = new Date().toISOString();
	await applications.add([
		open(completed, 10),
		open(finishedLate, 2, { link_sent_at }),
		open(closing, 2, { link_sent_at }),
		open(early, 10),
		open(waiting, 10, { link_sent_at }),
		open(closed, -1),
		{ ...open(early, 2), application_id: 'APP-X', invitation_link: `${service.baseUrl}/nobody` },
		// As somebody may have changed them by hand.
		open(unclear, 2, { open_until: '15.12.2099' }),
		open(emptied, 2, { open_until: '' }),
	]);
	// n8n is down when results are ready.
	await service.finish(completed.invitation_code);
	await service.finish(finishedLate.invitation_code);
	await client.publish(decision);

	const execution = await client.runToEnd(id, START);
	expect(execution.status).toBe('success');
	const [handedOver] = await waitForStatuses(client, decision, ['waiting', 'waiting']);
	expect(nodesRun(handedOver)[0]).toBe('When A Late Result Is Handed Over');
	const texts = mailServer.mails.map(({ text }) => text);
	expect(texts).toEqual([
		expect.stringMatching(new RegExp(`complete your assessment by .*: ${early.invitation_link}`)),
		expect.stringMatching(new RegExp(`is open until .*: ${closing.invitation_link}`)),
	]);
	const rows = await applications.rows();
	for (const { ext_reference_id } of [completed, finishedLate]) {
		expect(rows[ext_reference_id]).toMatchObject({
			status: 'completed',
			role_fit: roleFit(invitationOf(service, ext_reference_id)),
		});
	}
	expect(rows[closing.ext_reference_id].reminded_at).toBeTruthy();
	expect(rows[early.ext_reference_id].link_sent_at).toBeTruthy();
	expect(rows['APP-X'].problem).toMatch(/^No candidate with this invitation exists/);

	const nextNight = await client.runToEnd(id, START);
	expect(nodesRun(nextNight)).not.toContain(HAND_OVER);
	expect(mailServer.mails).toHaveLength(2);
});

for (const [name, start] of [
	[EXAMPLE, START],
	['end-to-end', 'Every Morning At 8'],
] as const) {
	test(`${name}: a reminder names the last day where the workflow is, and one that fails stops no other`, async ({
		n8n: { client },
		service,
		applications,
		importExample,
		mailServer,
	}) => {
		const { id: handsOverTo } = await importExample('result-to-decision');
		const how = { mails: ['Send The Reminder'], handsOverTo, unpin: true, ...IN_LOS_ANGELES };
		const { id } = await importExample(name, how);
		const [first, refused, last, noted] = await Promise.all(
			[1, 2, 3, 4].map(async () => await inviteAt(service)),
		);
		// The end of the day there is in the next day of UTC.
		const open_until = lastMomentOf(LOS_ANGELES, 2).toISOString();
		const due = { open_until, link_sent_at: new Date().toISOString() };
		await applications.add([
			open(first, 2, due),
			// The row's address counts: it may have been corrected since the invitation.
			open(refused, 2, { ...due, email: 'refused@people.example' }),
			open(last, 2, due),
			// Its link is due, but "Send The Link" is deactivated.
			open(noted, 10, { problem: 'on vacation' }),
		]);
		mailServer.refused = 'refused@people.example';
		expect((await client.runToEnd(id, start)).status).toBe('success');
		const words = `is open until ${dayIn(LOS_ANGELES, open_until)}: `;
		expect(mailServer.mails.map(({ text }) => text)).toEqual(
			[first, last].map((each) => expect.stringContaining(words + each.invitation_link)),
		);
		const rows = await applications.rows();
		expect(rows[noted.ext_reference_id].problem).toBe('on vacation');
		const problem = expect.stringMatching(/^The reminder was not emailed: \S/);
		expect(rows[refused.ext_reference_id]).toMatchObject({ reminded_at: '', problem });

		// Only what failed is tried again.
		mailServer.refused = undefined;
		await client.runToEnd(id, start);
		const { invitation_link } = refused;
		expect(mailServer.mails.slice(2)).toEqual([
			{ to: 'refused@people.example', text: expect.stringContaining(invitation_link) },
		]);
		expect((await applications.rows())[refused.ext_reference_id].problem).toBe('');
	});
}

/** The row of somebody who was invited, and has so many days left. */
function open(invitation: InvitationWithLinks, days: number, more: Partial<Row> = {}): Row {
	const { ext_reference_id: application_id, job_id, invitation_link } = invitation;
	return {
		...PERSON,
		application_id,
		job_id,
		status: 'invited',
		invitation_link,
		open_until: new Date(Date.now() + days * DAY_MS).toISOString(),
		...more,
	};
}
