import { takeScreenshot } from '../../support/screenshots.mts';
import { expect, test } from '../fixtures.mts';

/** What n8n calls the first credential of its type. */
const NEW_CREDENTIAL = /^Candidate Assessment account/;

// Where there is no credential yet, n8n offers a button in place of the list.
test('a new credential is tested and found good', async ({ editor, service, credential }) => {
	const { baseUrl, accessToken } = service;
	const panel = await editor.addNode('Invite candidate');
	await expect(panel.chosenCredential).toHaveValue(credential.name);
	const dialog = await panel.newCredential();
	await dialog.fill({ baseUrl, accessToken });
	await dialog.save();
	await expect(dialog.dialog).toBeHidden();
	const again = await panel.editCredential();
	await expect(again.success).toBeVisible();
	await takeScreenshot(editor.page, 'credential');
	await again.close();
	await expect(panel.chosenCredential).toHaveValue(NEW_CREDENTIAL);
});

test('a wrong access token is refused in our words, and put right it is found good', async ({
	editor,
	service,
	credential,
}) => {
	const panel = await editor.addNode('Invite candidate');
	await panel.chooseCredential(credential.name);
	const dialog = await panel.editCredential();
	await dialog.fill({ accessToken: 'not-the-token' });
	await dialog.save();
	const failure = await dialog.failure();
	await expect(failure.getByText('The access token was refused')).toBeVisible();
	await takeScreenshot(editor.page, 'credential-refused');
	await dialog.fill({ accessToken: service.accessToken });
	await dialog.save();
	await expect(dialog.success).toBeVisible();
});
