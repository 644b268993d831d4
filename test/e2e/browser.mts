/** The package in n8n's editor, in a real browser, as a recruiter would use it. */
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import type { Page } from '@playwright/test';

import { OWNER, type Demo } from '../../demo/demo.mts';
import { messageOf } from '../../tools/n8n/errors.mts';
import type { Check, Checks } from '../support/checks.mts';
import { openPage, withChromium } from '../support/chromium.mts';
import { Editor } from '../support/editor.mts';
import { withRealN8n } from '../support/testEnvironment.mts';
import { checkCredential } from './browser/credential.mts';
import { checkErrors } from './browser/errors.mts';
import { checkFields } from './browser/fields.mts';
import { checkLoop } from './browser/loop.mts';
import { checkNodePanel } from './browser/nodePanel.mts';
import { checkTrigger } from './browser/trigger.mts';

/** What every check is made with. */
export interface Stage {
	demo: Demo;
	/** The recruiter's browser. */
	editor: Editor;
	/** The candidate's browser: somebody who is not logged in to n8n. */
	candidate: Page;
	check: Check;
}

export default async function browser(checks: Checks): Promise<void> {
	const run = async (demo: Demo, folder: string) =>
		await withChromium(async (chromium) => {
			const page = await openPage(chromium);
			const candidate = await openPage(chromium);
			const editor = new Editor(page, demo.n8n.baseUrl);
			const about = checks.about(`n8n ${demo.client.version} in Chromium`);
			const stage = { demo, editor, candidate, check: withEvidence(about, page, folder) };
			await keepPicture(page, join(folder, 'login.png'), async () => await editor.logIn(OWNER));
			await checkNodePanel(stage);
			await checkCredential(stage);
			await checkFields(stage);
			await checkErrors(stage);
			await checkLoop(stage);
			await checkTrigger(stage);
		});
	await withRealN8n('browser', '2.41', async (demo, { folder }) => await run(demo, folder), checks);
}

/** Keeps a picture of the editor as it was when a check failed. */
function withEvidence(check: Check, page: Page, folder: string): Check {
	return async (what, action) => {
		const picture = join(folder, `${what.replace(/\W+/g, '-').slice(0, 60)}.png`);
		await check(what, async () => await keepPicture(page, picture, action));
	};
}

async function keepPicture(page: Page, picture: string, action: () => Promise<unknown>) {
	try {
		await action();
	} catch (error) {
		await page.screenshot({ path: picture }).catch(() => {});
		throw new Error(brief(messageOf(error)), { cause: error });
	}
}

/** Playwright tells at length, and in colours, what it has tried meanwhile. */
function brief(message: string): string {
	const [what, log] = stripVTControlCharacters(message).split(/\n=*\s*call log:?\s*=*\n/i);
	const [waitedFor] = log?.trim().split('\n') ?? [];
	return [what.trim(), waitedFor?.replace(/^\s*-\s*/, '')].filter(Boolean).join(' ');
}
