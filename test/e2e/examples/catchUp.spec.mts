import type { InvitationWithLinks } from '../../../mock-service/service.mts';
import { inviteAt } from '../../support/invite.mts';
import {
	expect,
	invitationOf,
	jsonOf,
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

test(`${EXAMPLE}: results that were missed go on, and open candidates are reminded once`, async ({
	n8n: { client },
	service,
	applications,
	importFile,
	importAndSetUp,
}) => {
	const { id: decision } = await importAndSetUp('result-to-decision', { unpin: true });
	await client.publish(decision);
	const { id } = await importFile(EXAMPLE, {
		parameters: { [HAND_OVER]: { workflowId: { __rl: true, mode: 'list', value: decision } } },
		unpin: true,
		activate: ['Note The Reminder'],
	});
	const [completed, closing] = [await inviteAt(service), await inviteAt(service)];
	const [early, closed] = [await inviteAt(service), await inviteAt(service)];
	await applications.add([
		open(completed, 40),
		open(closing, 2),
		open(early, 40),
		open(closed, -1),
		{ ...open(early, 2), application_id: 'APP-X', invitation_link: `${service.baseUrl}/nobody` },
	]);
	// n8n is down when the result is ready.
	await client.unpublish(decision);
	await service.finish(completed.invitation_code);
	await client.publish(decision);

	await client.publish(id);
	const execution = await client.runToEnd(id, START);
	expect(execution.status).toBe('success');
	const [handedOver] = await waitForStatuses(client, decision, ['waiting']);
	expect(nodesRun(handedOver)[0]).toBe('When A Late Result Is Handed Over');
	expect(jsonOf(execution, 'Write The Reminder')).toEqual([
		{
			application_id: closing.ext_reference_id,
			email: closing.email,
			text: expect.stringMatching(
				new RegExp(`^Hello Maya,\n\nYour assessment is open until .*: ${closing.invitation_link}$`),
			),
		},
	]);
	const rows = await applications.rows();
	expect(rows[completed.ext_reference_id]).toMatchObject({
		status: 'completed',
		role_fit: roleFit(invitationOf(service, completed.ext_reference_id)),
	});
	expect(rows[closing.ext_reference_id].reminded_at).toBeTruthy();
	expect(rows['APP-X'].problem).toMatch(/^No candidate with this invitation exists/);

	const nextNight = await client.runToEnd(id, START);
	expect(nodesRun(nextNight)).not.toContain(HAND_OVER);
	expect(nodesRun(nextNight)).not.toContain('Write The Reminder');
});

/** The row of somebody who was invited, and has so many days left. */
function open(invitation: InvitationWithLinks, days: number): Row {
	const { ext_reference_id: application_id, invitation_link } = invitation;
	return {
		...{ application_id, ...PERSON, status: 'invited' },
		invitation_link,
		open_until: new Date(Date.now() + days * DAY_MS).toISOString(),
	};
}
