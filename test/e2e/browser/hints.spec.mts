import { takeScreenshot } from '../support/screenshots.mts';
import {
	ACTION_NODE,
	actionNode,
	anonymousInvitation,
	itemsWorkflow,
} from '../support/workflows.mts';
import { expect, test } from '../support/fixtures.mts';

const CONTINUE = 'continueRegularOutput';
const STOP = 'stopWorkflow';
const LINK = '<a href=//evil.example>Sign in</a>';

test('a link in a reference, or in the words of the service, is text in the editor', async ({
	n8n,
	editor,
	service,
	credential,
}) => {
	const { page } = editor;
	const links = page.locator('a[href*="evil"]');
	const open = async (
		parameters: Record<string, unknown>,
		list: string[],
		onError: typeof CONTINUE | typeof STOP,
	) => {
		const invite = actionNode(credential, anonymousInvitation(parameters), { onError });
		const items = JSON.stringify(list.map((ref) => ({ ref })));
		const { id } = await n8n.client.createWorkflow(itemsWorkflow('Hints', items, invite));
		await editor.openWorkflow(id);
		return await editor.openNode(ACTION_NODE);
	};
	const run = async ({ panel, output }: Awaited<ReturnType<typeof open>>, words: string[]) => {
		const executed = page.waitForResponse(/\/run\b/);
		await panel.getByTestId('node-execute-button').click();
		await executed;
		for (const each of words) await expect(output).toContainText(each);
		await expect(links).toHaveCount(0);
	};

	const options = { checkOnly: true };
	const check = await open({ options }, [LINK, 'B-001', 'B-001', ''], CONTINUE);
	await run(check, [
		`Would be invited: 2 (${LINK}, B-001).`,
		'Twice in this list (1): B-001 (item 3).',
		'To correct (1): item 4: External Reference ID: required',
		"This is this node's first list",
	]);
	await takeScreenshot(page, 'hints-check-only');
	await check.close();

	const list = await open({}, ['C-001', 'C-002'], STOP);
	await run(list, ["This was this node's first list"]);
	await takeScreenshot(page, 'hints-first-list');
	await run(list, [
		"2 candidates had already been invited. Nothing was sent. See the 'Already Invited' output.",
	]);
	await takeScreenshot(page, 'hints-already-invited');
	await list.close();

	service.faults.inject({
		route: 'createInvitation',
		status: 422,
		body: { error: { message: LINK } },
	});
	const failing = await open({}, [LINK], STOP);
	await run(failing, [`The service replied: ${LINK}`]);
	await takeScreenshot(page, 'hints-error');
	await failing.close();
	// The tooltip on the canvas also shows message and description as HTML.
	await editor
		.node(ACTION_NODE)
		.getByTestId('canvas-node-status-execution-errors')
		.or(editor.node(ACTION_NODE).locator('[data-test-id*="node-issues"]'))
		.first()
		.hover();
	await expect(page.getByText('‹a href=//evil.example').first()).toBeVisible();
	await expect(links).toHaveCount(0);
	await takeScreenshot(page, 'hints-canvas');
});
