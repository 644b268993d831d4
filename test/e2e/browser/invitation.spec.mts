import { CredentialDialog } from '../../support/credentialDialog.mts';
import { createInviteList } from '../../support/inviteList.mts';
import { takeForReadme } from '../../support/screenshots.mts';
import { ACTION_NODE } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';
import { CANDIDATE } from './candidate.mts';

test('Invite refuses a wrong access token and a wrong job ID in our words, and then shows the invitation', async ({
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
	const dialog = new CredentialDialog(page);
	// n8n tests a saved one as soon as it opens.
	await dialog.test(panel.panel.getByTestId('credential-edit-button'));
	await dialog.fill({ accessToken: 'not-the-token' });
	await dialog.save();
	const failure = await dialog.failure();
	await expect(failure.getByText('The access token was refused')).toBeVisible();
	await dialog.fill({ accessToken: service.accessToken });
	await dialog.save();
	await expect(dialog.success).toBeVisible();
	await dialog.close();

	service.clearRequests();
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

test('an error of a list stands in the panel with a line for each item', async ({
	editor,
	n8n,
	service,
}) => {
	const list = ['APP-1', '', '<b>', 'undefined'];
	const { id } = await createInviteList(n8n.client, service, { list });
	await editor.openWorkflow(id);
	const panel = await editor.openNode(ACTION_NODE);
	await panel.execute();
	await expect(panel.output.getByTestId('node-error-description')).toHaveText(
		/^To correct \(2\):\nitem 2: .*\nitem 4: .*$/,
		{ useInnerText: true },
	);
	expect(service.requests).toEqual([]);
});
