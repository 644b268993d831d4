import { takeForReadme } from '../support/screenshots.mts';
import { expect, test } from '../support/fixtures.mts';
import { CANDIDATE } from '../support/candidate.mts';

test('Invite refuses a wrong job ID in our words, and then shows the invitation', async ({
	editor,
	service,
	credential,
}) => {
	const { page } = editor;
	await editor.openNewWorkflow();
	const actions = await editor.unfold(await editor.searchNodes('candidate'));
	await actions.getByText('Invite candidate', { exact: true }).click();
	const panel = await editor.openedPanel();
	await panel.chooseCredential(credential.name);
	await panel.fill({ ...CANDIDATE, jobId: 'Sales Manager' });
	await panel.execute();
	const message = panel.output.getByTestId('node-error-message');
	await expect(message.getByText('not a job ID')).toBeVisible();
	await expect(panel.output.getByText('Nothing was sent.')).toBeVisible();
	expect(service.requests).toHaveLength(0);

	await panel.fill(CANDIDATE);
	await panel.execute();
	const values = await panel.values();
	const [{ invitation_link, invitation_expired_at }] = service.invitations;
	expect(values).toMatchObject({ status: 'invited', invitation_link, invitation_expired_at });
	await takeForReadme(page, 'invite-panel', { around: [panel.panel], margin: -2 });
	const warning = panel.panel.getByText(/^With Invite Again, every run invites all candidates/);
	await expect(warning).toBeHidden();
	await panel.choose('alreadyInvited', 'Invite Again');
	await expect(warning).toBeVisible();
});
