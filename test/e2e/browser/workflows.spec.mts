import { inviteCandidates } from '../../../demo/workflows/invite-candidates.mts';
import { RESULT_TRIGGER, resultReady } from '../../../demo/workflows/result-ready.mts';
import type { PartnerService } from '../../../mock-service/service.mts';
import { takeForReadme, takeScreenshot } from '../../support/screenshots.mts';
import { RESULT_READY } from '../../support/workflows.mts';
import { expect, test as base } from '../fixtures.mts';
import { finish, inviteCandidate } from './candidate.mts';

// The demo's workflows, and a test event for the one that is published.

const test = base.extend<{ resultWorkflowId: string }>({
	resultWorkflowId: async ({ n8n, service, credential }, use) => {
		const { id } = await n8n.client.createWorkflow(resultReady(credential, service.webhookId));
		await n8n.client.publish(id);
		await use(id);
		await n8n.client.unpublish(id);
	},
});

/** n8n shows the event first, and then gives the webhook back. */
async function expectGivenBack(service: PartnerService): Promise<void> {
	await expect
		.poll(() => service.webhooks.map(({ url }) => new URL(url).pathname.split('/')[1]))
		.toEqual(['webhook']);
}

test('"Invite candidates" invites three from the button on the canvas', async ({
	n8n,
	editor,
	service,
	credential,
}) => {
	const { page } = editor;
	const { id } = await n8n.client.createWorkflow(inviteCandidates(credential));
	await editor.openWorkflow(id);
	await editor.executeWorkflow();
	await expect(editor.succeededNodes).toHaveCount(3);
	expect(service.invitations).toHaveLength(3);
	await expect(page.getByTestId('edge-label')).toHaveText(['1 item', '3 items']);
	await takeScreenshot(page, 'workflow', {
		around: [editor.nodes, page.getByTestId('sticky')],
		margin: 64,
	});
});

test('listening for a test event shows the event in the editor', async ({
	editor,
	candidate,
	service,
	resultWorkflowId,
}) => {
	await editor.openWorkflow(resultWorkflowId);
	const panel = await editor.openNode(RESULT_TRIGGER);
	await panel.listen();
	await takeScreenshot(editor.page, 'trigger-listening');
	const { invitation_code } = await inviteCandidate(service);
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
	await expectGivenBack(service);
});

test('production goes on after the test event', async ({
	editor,
	candidate,
	service,
	resultWorkflowId,
}) => {
	await editor.openWorkflow(resultWorkflowId);
	const panel = await editor.openNode(RESULT_TRIGGER);
	await panel.listen();
	await finish(candidate, await inviteCandidate(service));
	await expectGivenBack(service);
	const executions = await editor.openExecutions(resultWorkflowId);
	await expect(executions).toHaveCount(1);
	await finish(candidate, await inviteCandidate(service));
	await expect(executions).toHaveCount(2);
	const newest = executions.first();
	await expect(newest.getByText('Succeeded')).toBeVisible();
	// n8n marks what was run from the editor with a flask.
	await expect(newest.locator('[data-icon^=flask]')).toHaveCount(0);
});
