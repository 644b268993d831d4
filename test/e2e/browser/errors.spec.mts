import { takeScreenshot } from '../../support/screenshots.mts';
import { expect, test } from '../fixtures.mts';
import { CANDIDATE } from './candidate.mts';

test('the output of the node says what went wrong, and that nothing was sent', async ({
	editor,
	credential,
	service,
}) => {
	const panel = await editor.addNode('Invite candidate');
	await panel.chooseCredential(credential.name);
	await panel.fill({ ...CANDIDATE, jobId: 'Sales Manager' });
	await panel.execute();
	const message = panel.output.getByTestId('node-error-message');
	await expect(message.getByText('not a job ID')).toBeVisible();
	await expect(panel.output.getByText('Nothing was sent.')).toBeVisible();
	await takeScreenshot(editor.page, 'error');
	expect(service.requests).toHaveLength(0);
});
