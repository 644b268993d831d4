import assert from 'node:assert/strict';

import { isDrawn } from '../../support/editor.mts';
import { takeScreenshot } from '../../support/screenshots.mts';
import type { Stage } from '../browser.mts';

/** Finding the nodes and adding one. n8n lists an action node and its trigger as one entry. */
export async function checkNodePanel({ editor, check }: Stage): Promise<void> {
	await check('searching "candidate" finds both nodes, with their icons', async () => {
		await editor.openNewWorkflow();
		const entry = await editor.searchNodes('candidate');
		assert.ok(await isDrawn(entry.locator('img').first()), 'the entry has no icon');
		const items = await editor.unfold(entry);
		for (const item of ['On candidate result ready', 'Invite candidate', 'Update a webhook']) {
			const icon = items.filter({ hasText: item }).locator('img').first();
			assert.ok(await isDrawn(icon), `"${item}" has no icon`);
		}
		await takeScreenshot(editor.page, 'node-panel');
	});

	await check('so does searching "hiring"', async () => {
		await editor.openNewWorkflow();
		await (await editor.searchNodes('hiring')).waitFor();
	});

	await check('"Invite candidate" puts the action node on the canvas', async () => {
		const panel = await editor.addNode('Invite candidate');
		await panel.close();
		const icon = editor.node('Invite candidate').locator('img').first();
		assert.ok(await isDrawn(icon), 'the node has no icon');
	});
}
