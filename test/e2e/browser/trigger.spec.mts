import { takeScreenshot } from '../../support/screenshots.mts';
import { RESULT_READY, TRIGGER_NODE } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';

test('listening on a webhook that points elsewhere says where, and what to do', async ({
	editor,
	trigger,
}) => {
	const { service, workflowId } = trigger;
	await service.request('PUT', `/webhooks/${service.webhookId}`, {
		name: 'Elsewhere',
		url: 'https://results.example.com/inbox',
		events: [RESULT_READY],
		secret: 'the secret of somebody else',
	});
	await editor.openWorkflow(workflowId);
	const panel = await editor.openNode(TRIGGER_NODE);
	await panel.panel.getByTestId('trigger-execute-button').click();
	const notification = editor.page.locator('.el-notification');
	await expect(notification).toContainText(
		'This webhook sends its events to another receiver: https://results.example.com/inbox. Testing would replace',
	);
	await editor.page.screenshot({ path: '.data/screenshots/trigger-points-elsewhere.png' });
	expect(service.webhook).toMatchObject({
		url: 'https://results.example.com/inbox',
		secret: 'the secret of somebody else',
	});
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
	await expect(panel.notices).toContainText(['Production URL']);
	expect(await panel.shownFields()).not.toContain('webhookId');
	await takeScreenshot(editor.page, 'trigger-manual');
});
