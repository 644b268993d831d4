import { takeForReadme } from '../../support/screenshots.mts';
import { expect, test } from '../fixtures.mts';
import { CANDIDATE, inviteCandidate } from './candidate.mts';

test('Invite shows the invitation when it has been filled in and executed', async ({
	editor,
	service,
	credential,
}) => {
	const panel = await editor.addNode('Invite candidate');
	await panel.chooseCredential(credential.name);
	await panel.fill(CANDIDATE);
	await panel.execute();
	const values = await panel.values();
	const [{ invitation_link, invitation_expired_at }] = service.invitations;
	expect(values).toMatchObject({ status: 'invited', invitation_link, invitation_expired_at });
	await takeForReadme(editor.page, 'invite-panel', { around: [panel.panel], margin: -2 });
});

test('Get by invitation link shows the simplified scores', async ({
	editor,
	service,
	credential,
}) => {
	const { invitation_code, invitation_link } = await inviteCandidate(service);
	await service.finish(invitation_code);
	const panel = await editor.addNode('Get candidate');
	await panel.chooseCredential(credential.name);
	await panel.fillBy('By Link', invitation_link);
	await panel.execute();
	const [{ scores, additional_scores }] = service.invitations;
	expect(await panel.values()).toMatchObject({
		status: 'completed',
		...Object.fromEntries(
			[...scores, ...additional_scores].map((score) => [
				score.score_type,
				String(score.score_value),
			]),
		),
	});
	const parameters = panel.panel.getByTestId('node-parameters').filter({ visible: true });
	await takeForReadme(editor.page, 'scores', { around: [parameters, panel.output], height: 620 });
});
