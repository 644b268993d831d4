import { TRIGGER_NODE } from '../../support/triggerDriver.mts';
import { expect, test } from '../fixtures.mts';

test('the trigger says to publish first, a test before that is refused with what to do, and publishing says what it starts', async ({
	editor,
	trigger,
}) => {
	const { page } = editor;
	await editor.openWorkflow(trigger.workflowId);
	const { panel } = await editor.openNode(TRIGGER_NODE);
	await expect(
		panel.getByText('Publish once, then test by submitting an assessment'),
	).toBeVisible();

	await panel.getByTestId('trigger-execute-button').click();
	const refusal = page.getByText(/Publish this workflow once, then test/).first();
	await expect(refusal).toBeVisible();
	await panel.getByTestId('ndv-close-button').click();

	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByTestId('workflow-publish-button').click();
	const words = page.getByText(/From now on, each new result starts this workflow/);
	await expect(words).toBeVisible();
	await expect.poll(() => trigger.webhookAddress).toBe(trigger.productionUrl);
});

test('manual registration shows the URL and says what to enter at the service', async ({
	editor,
	trigger,
}) => {
	await editor.openWorkflow(trigger.workflowId);
	const panel = await editor.openNode(TRIGGER_NODE);
	const urls = panel.panel.getByText('Webhook URLs', { exact: true });
	await expect(urls).toHaveCount(0);
	await panel.choose('registration', 'Manual');
	await urls.click();
	await expect(panel.panel.getByText(trigger.testUrl)).toBeVisible();
	await expect(panel.panel.locator('.notice')).toContainText(['Production URL']);
	await expect(panel.field('webhookId')).toHaveCount(0);
});
