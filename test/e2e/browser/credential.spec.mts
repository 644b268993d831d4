import { takeScreenshot } from '../../support/screenshots.mts';
import { expect, test } from '../fixtures.mts';

test('a wrong access token is refused in our words; once it is right, the connection is tested successfully', async ({
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
	await takeScreenshot(editor.page, 'credential');
});
