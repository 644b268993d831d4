import type { Locator } from '@playwright/test';

import { expect, test } from '../support/fixtures.mts';

/** An image that the browser can't load or draw has no natural width. */
const expectDrawn = async (image: Locator) =>
	await expect(image).not.toHaveJSProperty('naturalWidth', 0);

/** Searches of recruiters who don't know the node's name. */
const PHRASES = [
	...['hiring', 'skills', 'invite applicant', 'test results', 'get scores', 'job application'],
	...['recruiter', 'personality test', 'aptitude tests', 'psychometric assessment', 'exam'],
	...['cognitive ability test', 'coding test', 'online test', 'pre-hire assessment'],
	...['pre-employment testing', 'evaluating applicants', 'screening candidates'],
];

test('what recruiters search for finds the nodes, among the first three, with their icons', async ({
	editor,
}) => {
	await editor.openNewWorkflow();
	const entries = editor.page.getByTestId('item-iterator-item');
	for (const words of PHRASES) {
		await editor.searchNodes(words);
		const firstThree = async () => (await entries.allInnerTexts()).slice(0, 3).join();
		await expect.soft.poll(firstThree, words).toContain('Candidate Assessment');
	}
	// n8n lists an action node and its trigger as one entry.
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
