import assert from 'node:assert/strict';

import { RESULT_TRIGGER } from '../../../demo/workflows/result-ready.mts';
import { eventually } from '../../support/eventually.mts';
import { takeForReadme, takeScreenshot } from '../../support/screenshots.mts';
import type { Stage } from '../browser.mts';
import { finish } from './loop.mts';

/** The example workflows, and a test event for the one that is published. */
export async function checkTrigger({ demo, editor, candidate, check }: Stage): Promise<void> {
	const { service, state } = demo;
	const { page } = editor;
	const unfinished = () => {
		const found = service.invitations.find(({ status }) => status === 'invited');
		assert.ok(found, 'there is no invitation that is not finished');
		return found;
	};

	await check('"Invite candidates" invites three from the button on the canvas', async () => {
		const before = service.invitations.length;
		await editor.openWorkflow(state.inviteWorkflowId);
		await editor.executeWorkflow();
		await eventually(async () => await editor.succeededNodes.count(), 3, 30_000);
		assert.equal(service.invitations.length, before + 3);
		await eventually(
			async () => await page.getByTestId('edge-label').allInnerTexts(),
			['1 item', '3 items'],
		);
		await takeForReadme(page, 'workflow', {
			around: [editor.nodes, page.getByTestId('sticky')],
			margin: 64,
		});
	});

	await check('listening for a test event shows the event in the editor', async () => {
		await editor.openWorkflow(state.resultWorkflowId);
		const panel = await editor.openNode(RESULT_TRIGGER);
		await panel.listen();
		await takeScreenshot(page, 'trigger-listening');
		const invitation = unfinished();
		await finish(candidate, invitation);
		const { event, invitation_code, status } = await panel.values();
		assert.deepEqual(
			{ event, invitation_code, status },
			{
				event: 'candidate_application_result_ready',
				invitation_code: invitation.invitation_code,
				status: 'completed',
			},
		);
		await takeForReadme(page, 'trigger-panel', { around: [panel.panel], margin: -2, height: 588 });
	});

	await check('production goes on after the test event', async () => {
		// n8n shows the event, and then gives the webhook back.
		await eventually(
			async () => service.webhooks.map(({ url }) => new URL(url).pathname.split('/')[1]),
			['webhook'],
		);
		const executions = await editor.openExecutions(state.resultWorkflowId);
		await executions.first().waitFor();
		const before = await executions.count();
		await finish(candidate, unfinished());
		await eventually(async () => await executions.count(), before + 1, 30_000);
		const newest = executions.first();
		await newest.getByText('Succeeded').waitFor();
		// n8n marks what was run from the editor with a flask.
		assert.equal(await newest.locator('[data-icon^=flask]').count(), 0, 'it is a test');
	});
}
