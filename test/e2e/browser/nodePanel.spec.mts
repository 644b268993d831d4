import { isDrawn } from '../../support/editor.mts';
import { SEARCH_PHRASES } from '../../support/searchPhrases.mts';
import { expect, test } from '../fixtures.mts';

// n8n lists an action node and its trigger as one entry.

test('searching "candidate" finds both nodes, with their icons', async ({ editor }) => {
	await editor.openNewWorkflow();
	const entry = await editor.searchNodes('candidate');
	expect(await isDrawn(entry.locator('img').first()), 'the entry has an icon').toBe(true);
	await expect(entry).toContainText(
		/Start a workflow when .+ result is ready\. .+ invite candidates/,
	);
	const items = await editor.unfold(entry);
	for (const item of ['On candidate result ready', 'Invite candidate', 'Update webhook']) {
		const icon = items.filter({ hasText: item }).locator('img').first();
		expect(await isDrawn(icon), `"${item}" has an icon`).toBe(true);
	}
});

const WORDS = ['hiring', 'skills', 'invite', 'result', 'evaluation', 'personality', 'pre-hire'];

test('what recruiters search for finds the nodes, among the first three', async ({ editor }) => {
	await editor.openNewWorkflow();
	const entries = editor.page.getByTestId('item-iterator-item');
	for (const words of [...WORDS, ...SEARCH_PHRASES]) {
		await editor.searchNodes(words);
		const firstThree = async () => (await entries.allInnerTexts()).slice(0, 3).join();
		await expect.soft.poll(firstThree, words).toContain('Candidate Assessment');
	}
});
