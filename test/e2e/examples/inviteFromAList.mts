import assert from 'node:assert/strict';

import { itemsOf } from '../../../tools/n8n/client.mts';
import { importExample } from '../../support/example.mts';
import type { Ground } from '../examples.mts';

/** Four rows, one of which is wrong. */
export async function checkInviteFromAList({ demo, credential, imported, check }: Ground) {
	const { client, service } = demo;
	await check('invite-from-a-list: good rows are invited, the bad one says why not', async () => {
		const { id } = await importExample(client, 'invite-from-a-list', {
			credentials: { 'Invite Candidates': credential },
		});
		imported.set('invite-from-a-list', id);
		const execution = await client.runToEnd(id, 'When Clicking Execute Workflow');
		assert.equal(execution.status, 'success');

		const invited = service.invitations.map((one) => ({
			application: one.ext_reference_id,
			'invitation link': one.invitation_link,
			'open until': one.invitation_expired_at,
		}));
		assert.deepEqual(invited.map(({ application }) => application).sort(), [
			'APP-2026-0815',
			'APP-2026-0816',
			'APP-2026-0818',
		]);
		const noted = itemsOf(execution, 'Note The Invitation').map(({ json }) => json);
		assert.deepEqual(
			noted,
			invited.sort((one, other) => one.application.localeCompare(other.application)),
		);
		assert.deepEqual(
			itemsOf(execution, 'Note What To Correct').map(({ json }) => json),
			[{ application: 'APP-2026-0817', 'what to correct': 'Email: required, but empty' }],
		);
	});
}
