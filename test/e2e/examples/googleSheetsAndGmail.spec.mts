import { expect, invitationOf, jsonOf, test } from './fixtures.mts';

const EXAMPLE = 'google-sheets-and-gmail';

test(`${EXAMPLE}: new rows are invited, and each goes to the node that writes its outcome`, async ({
	n8n: { client },
	service,
	importFile,
}) => {
	const { id } = await importFile(EXAMPLE);
	const execution = await client.runToEnd(id, 'Every Morning At 8');
	expect(execution.status).toBe('success');
	const invited = ['APP-2026-0816', 'APP-2026-0818'];
	expect(service.invitations.map(({ ext_reference_id }) => ext_reference_id)).toEqual(invited);
	const { email, invitation_link } = invitationOf(service, invited[0]);
	expect(jsonOf(execution, 'Email The Link')[0]).toMatchObject({ email, invitation_link });
	expect(jsonOf(execution, 'Write What To Correct')).toEqual([
		expect.objectContaining({ application_id: 'APP-2026-0817', outcome: 'invalid' }),
	]);
	const again = await client.runToEnd(id, 'Every Morning At 8');
	expect(jsonOf(again, 'Write That It Was Sent Before')).toHaveLength(2);
	expect(service.invitations).toHaveLength(2);
});
