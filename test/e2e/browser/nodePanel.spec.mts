import { isDrawn } from '../../support/editor.mts';
import { SEARCH_PHRASES } from '../../support/searchPhrases.mts';
import { expect, test } from '../fixtures.mts';

// n8n lists an action node and its trigger as one entry.

test('searching "candidate" finds both nodes, with their icons', async ({ editor }) => {
	await editor.openNewWorkflow();
	const entry = await editor.searchNodes('candidate');
	expect(await isDrawn(entry.locator('img').first()), 'the entry has an icon').toBe(true);
	await expect(entry).toContainText(/Invite candidates .+ start a workflow when a result is ready/);
	const items = await editor.unfold(entry);
	for (const item of ['On candidate result ready', 'Invite candidate', 'Update webhook']) {
		const icon = items.filter({ hasText: item }).locator('img').first();
		expect(await isDrawn(icon), `"${item}" has an icon`).toBe(true);
	}
});

const WORDS = ['hiring', 'talent', 'screening', 'skills', 'test', 'invite', 'invitation', 'result'];

test('what recruiters search for finds the nodes', async ({ editor }) => {
	await editor.openNewWorkflow();
	for (const words of [...WORDS, ...SEARCH_PHRASES]) {
		const entry = await editor.searchNodes(words);
		await expect.soft(entry, words).toBeVisible({ timeout: 5_000 });
	}
});
