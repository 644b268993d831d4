import { decide, expect, invitationOf, jsonOf, test, waitForStatuses } from './fixtures.mts';

const EXAMPLE = 'whole-way';
const MAYA = 'APP-2026-0815';

test(`${EXAMPLE}: a list is invited, a result leads to a decision, and who is late is reminded once`, async ({
	n8n: { client },
	service,
	candidate,
	applications,
	importAndSetUp,
}) => {
	const { id } = await importAndSetUp(EXAMPLE, { activate: ['Note The Reminder'] });
	await client.publish(id);
	const morning = async () => await client.runToEnd(id, 'Every Morning At 8');
	const first = await morning();
	const { email, invitation_code, invitation_link } = invitationOf(service, MAYA);
	expect(jsonOf(first, 'Send The Link')[0]).toMatchObject({ email, invitation_link });
	const invited = service.invitations.length;
	expect(invited).toBe(3);
	await morning();
	expect(service.invitations).toHaveLength(invited);

	await service.finish(invitation_code);
	await waitForStatuses(client, id, ['waiting', 'success', 'success']);
	const row = (await applications.rows())[MAYA];
	expect(row).toMatchObject({ status: 'completed', decision: null });
	await decide(candidate, String(row.decision_form), 'Invite to an interview');
	await waitForStatuses(client, id, ['success', 'success', 'success']);
	expect((await applications.rows())[MAYA].decision).toBe('Invite to an interview');

	const late = { status: 'invited', invitation_link, first_name: 'Amir', email };
	const open_until = new Date(Date.now() + 24 * 3_600_000).toISOString();
	await applications.add([{ application_id: 'APP-LATE', ...late, open_until }]);
	const night = async () =>
		jsonOf(await client.runToEnd(id, 'Every Night At 3'), 'Note The Reminder');
	expect(await night()).toMatchObject([{ application_id: 'APP-LATE' }]);
	expect(await night()).toEqual([]);
});
