import type { InvitationWithLinks } from '../../../mock-service/service.mts';
import { itemsOf } from '../../../tools/n8n/client.mts';
import { codeFor, importExample } from '../../support/example.mts';
import { inviteAt } from '../../support/invite.mts';
import { expect, test } from '../fixtures.mts';

// Three invitations, of which one is finished, and one that nobody has sent.
test('nightly-follow-up: who has not finished is reminded, nobody else', async ({
	n8n: { client },
	service,
	credential,
}) => {
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
	const execution = await client.runToEnd(id, 'Every Night At 5');
	expect(execution.status).toBe('success');
	expect(itemsOf(execution, 'Write Reminder').map(({ json: { to, text } }) => [to, text])).toEqual(
		[maya, ines].map(({ email, first_name, invitation_link }) => [
			email,
			`Hello ${first_name},\n\nyour assessment is still open: ${invitation_link}`,
		]),
	);
	const failed = itemsOf(execution, 'Note What Went Wrong').map(({ json }) => json);
	expect(failed.map(({ application }) => application)).toEqual(['APP-1']);
	expect(failed[0]['what went wrong']).toMatch(/^There is no candidate for this invitation\b/);
});

test('nightly-follow-up: can be published', async ({ n8n: { client }, credential }) => {
	const { id } = await importExample(client, 'nightly-follow-up', {
		credentials: { 'Look Up Candidates': credential },
	});
	await client.publish(id);
	await client.unpublish(id);
});
