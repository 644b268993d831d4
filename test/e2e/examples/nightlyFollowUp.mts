import assert from 'node:assert/strict';

import { itemsOf } from '../../../tools/n8n/client.mts';
import type { InvitationWithLinks } from '../../../mock-service/service.mts';
import { codeFor, importExample } from '../../support/example.mts';
import { inviteAt } from '../../support/invite.mts';
import type { Ground } from '../examples.mts';

/** Three invitations, of which one is finished, and one that nobody has sent. */
export async function checkNightlyFollowUp({ demo, credential, imported, check }: Ground) {
	const { client, service } = demo;
	await check('nightly-follow-up: who has not finished is reminded, nobody else', async () => {
		const invited: InvitationWithLinks[] = [];
		for (const first_name of ['Maya', 'Jonas', 'Inês']) {
			const email = `candidate-${invited.length}@example.com`;
			invited.push(await inviteAt(service, { first_name, last_name: 'Example', email }));
		}
		const [maya, jonas, ines] = invited;
		await service.finish(jonas.invitation_code);
		const list = [
			maya.invitation_link,
			`${service.baseUrl}/invitations/nobody-sent-this`,
			jonas.invitation_link,
			ines.invitation_link,
		].map((invitationLink, index) => ({ application: `APP-${index}`, invitationLink }));

		const { id } = await importExample(client, 'nightly-follow-up', {
			credentials: { 'Look Up Candidates': credential },
			parameters: { 'List Open Invitations': codeFor(list) },
		});
		imported.set('nightly-follow-up', id);
		const execution = await client.runToEnd(id, 'Every Night At 5');
		assert.equal(execution.status, 'success');
		assert.deepEqual(
			itemsOf(execution, 'Write Reminder').map(({ json: { to, text } }) => [to, text]),
			[maya, ines].map(({ email, first_name, invitation_link }) => [
				email,
				`Hello ${first_name},\n\nyour assessment is still open: ${invitation_link}`,
			]),
		);
		const wrong = itemsOf(execution, 'Note What Went Wrong').map(({ json }) => json);
		assert.deepEqual(
			wrong.map(({ application }) => application),
			['APP-1'],
		);
		assert.match(wrong[0]['what went wrong'], /^There is no candidate for this invitation\b/);
	});

	await check('nightly-follow-up: can be published', async () => {
		const id = imported.get('nightly-follow-up');
		assert.ok(id);
		await client.publish(id);
		await client.unpublish(id);
	});
}
