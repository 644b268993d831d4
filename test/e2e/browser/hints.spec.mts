import { createInviteList } from '../support/inviteList.mts';
import type { NodePanel } from '../support/nodePanel.mts';
import { takeScreenshot } from '../support/screenshots.mts';
import { ACTION_NODE } from '../support/workflows.mts';
import { expect, test } from '../support/fixtures.mts';

const LINK = '<a href=//evil.example>Sign in</a>';

test('a link in a reference, or in the words of the service, is text in the editor', async ({
	n8n,
	editor,
	service,
}) => {
	const { page } = editor;
	const links = page.locator('a[href*="evil"]');
	const open = async (list: string[], onError?: 'continueRegularOutput', options = {}) => {
		const invite = { list, settings: { onError }, parameters: { options } };
		const { id } = await createInviteList(n8n.client, service, invite);
		await editor.openWorkflow(id);
		return await editor.openNode(ACTION_NODE);
	};
	const run = async (node: NodePanel, picture: string, words: string[]) => {
		const executed = page.waitForResponse(/\/run\b/);
		await node.execute();
		await executed;
		for (const each of words) await expect(node.output).toContainText(each);
		await expect(links).toHaveCount(0);
		await takeScreenshot(page, `hints-${picture}`);
	};

	const names = [LINK, 'B-001', 'B-001', ''];
	const check = await open(names, 'continueRegularOutput', { checkOnly: true });
	await run(check, 'check-only', [
		`Would be invited: 2 (${LINK}, B-001).`,
		'Duplicates (1): B-001 (item 3).',
		'Needs correction (1): item 4: External Reference ID: required',
		"This is this node's first list",
	]);
	await check.close();

	const list = await open(['C-001', 'C-002']);
	await run(list, 'first-list', ["This was this node's first list"]);
	await run(list, 'already-invited', [
		"2 candidates had already been invited. Nothing was sent. See the 'Already Invited' output.",
	]);
	const toPage = page.getByRole('link', { name: 'inviting.md#where-the-links-are' });
	await expect(toPage).toHaveAttribute(
		'href',
		/^https:.*\/docs\/inviting\.md#where-the-links-are$/,
	);
	await list.close();

	const body = { error: { message: LINK } };
	service.faults.inject({ route: 'createInvitation', status: 422, body });
	const failing = await open([LINK]);
	await run(failing, 'error', [`The service replied: ${LINK}`]);
	await failing.close();
	// The tooltip on the canvas also shows message and description as HTML.
	const node = editor.node(ACTION_NODE);
	await node
		.getByTestId('canvas-node-status-execution-errors')
		.or(node.locator('[data-test-id*="node-issues"]'))
		.first()
		.hover();
	await expect(page.getByText('‹a href=//evil.example').first()).toBeVisible();
	await expect(links).toHaveCount(0);
	await takeScreenshot(page, 'hints-canvas');
});
