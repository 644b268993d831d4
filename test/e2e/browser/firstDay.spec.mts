import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Locator } from '@playwright/test';

import { takeForReadme, takeScreenshot } from '../../support/screenshots.mts';
import { expect, test as base } from '../fixtures.mts';
import { CANDIDATE } from './candidate.mts';

// "Five minutes to the first result", done as the README says, in an n8n in which nobody has done anything.

const README = join(import.meta.dirname, '..', '..', '..', 'README.md');

/** The words in bold: what the reader looks for in n8n. */
class Guide {
	readonly #names: Set<string>;
	readonly #unused: Set<string>;

	private constructor(text: string) {
		this.#names = new Set(
			[...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => name.replace(/\s+/g, ' ')),
		);
		this.#unused = new Set(this.#names);
	}

	static async read(heading: string): Promise<Guide> {
		const readme = await readFile(README, 'utf8');
		const section = readme.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
		if (!section) throw new Error(`The README has no section "${heading}"`);
		return new Guide(section);
	}

	/** Fails where the README does not have that name. */
	name(name: string): string {
		expect([...this.#names], 'named in the README').toContain(name);
		this.#unused.delete(name);
		return name;
	}

	get unused(): string[] {
		return [...this.#unused];
	}
}

// An option of the worker gives this file a worker, and so an n8n, of its own.
const test = base.extend<{ guide: Guide }, { isFirstDay: boolean }>({
	isFirstDay: [true, { scope: 'worker', auto: true }],
	guide: async ({}, use) => await use(await Guide.read('Five minutes to the first result')),
});

test('the README leads from an empty n8n to the scores', async ({
	editor,
	candidate,
	service,
	guide,
}) => {
	const { page } = editor;
	const creator = page.getByTestId('node-creator');
	const panel = page.getByTestId('ndv');

	await test.step('1. Invite candidate', async () => {
		await editor.openNewWorkflow();
		await takeScreenshot(page, 'first-day-1');
		await page.getByText(guide.name('Add first step…')).click();
		await page.getByTestId('node-creator-search-bar').fill('invite');
		await creator.getByText(guide.name('Candidate Assessment'), { exact: true }).click();
		await creator.getByText(guide.name('Actions')).click();
		await takeScreenshot(page, 'first-day-2');
		await creator.getByText(guide.name('Invite candidate'), { exact: true }).click();
		await panel.waitFor();
		await takeScreenshot(page, 'first-day-3');
		console.log(await panel.innerText());
	});
});
