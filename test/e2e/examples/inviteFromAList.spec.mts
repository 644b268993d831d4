import { itemsOf } from '../../../tools/n8n/client.mts';
import { importExample } from '../../support/example.mts';
import { expect, test } from '../fixtures.mts';

// Four rows, one of which is wrong.
test('invite-from-a-list: good rows are invited, the bad one says why not', async ({
	n8n: { client },
	service,
	credential,
}) => {
	const { id } = await importExample(client, 'invite-from-a-list', {
		credentials: { 'Invite Candidates': credential },
	});
	const execution = await client.runToEnd(id, 'When Clicking Execute Workflow');
	expect(execution.status).toBe('success');

	const invited = service.invitations.map((one) => ({
		application: one.ext_reference_id,
		'invitation link': one.invitation_link,
		'open until': one.invitation_expired_at,
	}));
	expect(invited.map(({ application }) => application).sort()).toEqual([
		'APP-2026-0815',
		'APP-2026-0816',
		'APP-2026-0818',
	]);
	const noted = itemsOf(execution, 'Note The Invitation').map(({ json }) => json);
	expect(noted).toEqual(
		invited.sort((one, other) => one.application.localeCompare(other.application)),
	);
	expect(itemsOf(execution, 'Note What To Correct').map(({ json }) => json)).toEqual([
		{ application: 'APP-2026-0817', 'what to correct': 'Email: required, but empty' },
	]);
});
