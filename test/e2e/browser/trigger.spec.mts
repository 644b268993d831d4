import { TRIGGER_NODE } from '../../support/triggerDriver.mts';
import { expect, test } from '../fixtures.mts';

test('the trigger says to publish first, then how to test, and publishing says what it starts', async ({
	editor,
	trigger,
}) => {
	const { page } = editor;
	await editor.openWorkflow(trigger.workflowId);
	const { panel } = await editor.openNode(TRIGGER_NODE);
	await expect(
		panel.getByText('Publish first, then test by submitting an assessment'),
	).toBeVisible();
	await expect(panel.getByText(/Publish first: a test gets a copy/)).toBeVisible();
	await expect(panel.getByText(/submit the assessment within two minutes/)).toBeVisible();
	await panel.getByTestId('ndv-close-button').click();

	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByTestId('workflow-publish-button').click();
	const words = page.getByText(/From now on, each new result starts this workflow/);
	await expect(words).toBeVisible();
	await expect.poll(() => trigger.webhookAddress).toBe(trigger.productionUrl);
	await page.keyboard.press('Escape');
	await editor.openNode(TRIGGER_NODE);
	await expect(panel.getByText(/The published workflow runs, too/)).toBeVisible();
});
