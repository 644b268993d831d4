import { RESULT_TRIGGER, resultReady } from '../../../demo/workflows/result-ready.mts';
import { inviteAt } from '../../support/invite.mts';
import { takeForReadme } from '../support/screenshots.mts';
import { RESULT_READY } from '../support/workflows.mts';
import { expect, test } from '../support/fixtures.mts';
import { finish } from '../support/candidate.mts';

test('the trigger says to publish first, publishing says what it starts, and a test shows the event', async ({
	editor,
	candidate,
	service,
	n8n,
	credential,
}) => {
	const { page } = editor;
	const { id } = await n8n.client.createWorkflow(resultReady(credential, service.webhookId));
	await editor.openWorkflow(id);
	const unpublished = await editor.openNode(RESULT_TRIGGER);
	for (const words of [
		'Test by submitting an assessment',
		/Publish first: a test gets a copy/,
		/submit the assessment within two minutes/,
	]) {
		await expect(unpublished.panel.getByText(words)).toBeVisible();
	}
	await unpublished.close();
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByTestId('workflow-publish-button').click();
	const started = page.getByText(/From now on, each new result starts this workflow/);
	await expect(started).toBeVisible();
	await expect.poll(() => service.webhooks[0].status).toBe('active');
	await page.keyboard.press('Escape');

	const panel = await editor.openNode(RESULT_TRIGGER);
	await expect(panel.panel.getByText(/The published workflow also runs/)).toBeVisible();
	await expect(panel.panel.getByText(/Publish first/)).toBeHidden();
	await panel.panel.getByTestId('trigger-execute-button').click();
	await panel.panel.getByTestId('trigger-listening').waitFor();
	const { invitation_code } = await inviteAt(service);
	await finish(candidate, service.invitations[0]);
	expect(await panel.values()).toMatchObject({
		event: RESULT_READY,
		invitation_code,
		status: 'completed',
	});
	await takeForReadme(page, 'trigger-panel', { around: [panel.panel], margin: -2, height: 588 });
	await n8n.client.unpublish(id);
});
