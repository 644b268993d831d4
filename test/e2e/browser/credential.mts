import assert from 'node:assert/strict';

import { takeScreenshot } from '../../support/screenshots.mts';
import type { Stage } from '../browser.mts';

/** What n8n calls the first credential of its type. */
export const NEW_CREDENTIAL = 'Candidate Assessment account';

/** Creating the credential in its dialog, which n8n tests when it is saved. */
export async function checkCredential({ demo, editor, check }: Stage): Promise<void> {
	const { baseUrl, accessToken } = demo.service;
	const { page } = editor;

	await check('a new credential is tested and found good', async () => {
		const panel = await editor.addNode('Invite candidate');
		const dialog = await panel.newCredential();
		await dialog.fill({ baseUrl, accessToken });
		await dialog.save();
		await dialog.dialog.waitFor({ state: 'hidden' });
		const again = await panel.editCredential();
		await again.success.waitFor();
		await takeScreenshot(page, 'credential');
		await again.close();
		assert.equal(await panel.chosenCredential(), NEW_CREDENTIAL);
	});

	await check('a wrong access token is refused in our words', async () => {
		const panel = await editor.addNode('Invite candidate');
		await panel.chooseCredential(NEW_CREDENTIAL);
		const dialog = await panel.editCredential();
		await dialog.fill({ accessToken: 'not-the-token' });
		await dialog.save();
		try {
			const failure = await dialog.failure();
			await failure.getByText('The access token was refused').waitFor();
			await takeScreenshot(page, 'credential-refused');
		} finally {
			await dialog.fill({ accessToken });
			await dialog.save();
			await dialog.success.waitFor();
			await dialog.close();
		}
	});
}
