import { RESULT_TRIGGER, resultReady } from '../../../demo/workflows/result-ready.mts';
import { inviteAt } from '../../support/invite.mts';
import { takeForReadme } from '../../support/screenshots.mts';
import { RESULT_READY } from '../../support/workflows.mts';
import { expect, test } from '../fixtures.mts';
import { finish } from './candidate.mts';

test('listening for a test event shows the event in the editor', async ({
	editor,
	candidate,
	service,
	n8n,
	credential,
}) => {
	const { id } = await n8n.client.createWorkflow(resultReady(credential, service.webhookId));
	await n8n.client.publish(id);
	await editor.openWorkflow(id);
	const panel = await editor.openNode(RESULT_TRIGGER);
	await panel.panel.getByTestId('trigger-execute-button').click();
	await panel.panel.getByTestId('trigger-listening').waitFor();
	const { invitation_code } = await inviteAt(service);
	await finish(candidate, service.invitations[0]);
	expect(await panel.values()).toMatchObject({
		event: RESULT_READY,
		invitation_code,
		status: 'completed',
	});
	await takeForReadme(editor.page, 'trigger-panel', {
		around: [panel.panel],
		margin: -2,
		height: 588,
	});
	await n8n.client.unpublish(id);
});
