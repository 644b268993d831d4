import type { Locator } from '@playwright/test';

import { SEARCH_PHRASES } from '../../support/searchPhrases.mts';
import { expect, test } from '../fixtures.mts';

/** An image that the browser can't load, or not draw, has no width of its own. */
const expectDrawn = async (image: Locator) =>
	await expect(image).not.toHaveJSProperty('naturalWidth', 0);

// n8n lists an action node and its trigger as one entry.

test('searching "candidate" finds both nodes, with their icons', async ({ editor }) => {
	await editor.openNewWorkflow();
	const entry = await editor.searchNodes('candidate');
	await expectDrawn(entry.locator('img').first());
	await expect(entry).toContainText(
		/Invite candidates, get their scores, and start workflows when results are ready/,
	);
	const items = await editor.unfold(entry);
	for (const item of ['On candidate result ready', 'Invite candidate', 'Update webhook']) {
		await expectDrawn(items.filter({ hasText: item }).locator('img').first());
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
