import { takeScreenshot } from '../../support/screenshots.mts';
import { TRIGGER_NODE } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

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
	await takeScreenshot(editor.page, 'trigger-manual');
});
