import process from 'node:process';

import { chromium, selectors, type Browser, type Page } from '@playwright/test';

import { debianPrograms } from './debian.mts';

/** It has no graphics card here, runs as root too, and is to call nobody. */
const ARGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-dev-shm-usage',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** For what a page is to do on a machine that is busy with other things. */
const PATIENCE_MS = 30_000;

/**
 * Lends a browser: Debian's Chromium, installed first where it is missing, or the one that CHROMIUM in
 * the environment names.
 */
export async function withChromium(use: (browser: Browser) => Promise<void>): Promise<void> {
	const [found] = process.env.CHROMIUM
		? [process.env.CHROMIUM]
		: await debianPrograms({ program: 'chromium', package: 'chromium' });
	selectors.setTestIdAttribute('data-test-id');
	const browser = await chromium.launch({ executablePath: found, args: ARGS, timeout: 120_000 });
	try {
		await use(browser);
	} finally {
		await browser.close();
	}
}

/** A page of somebody's own, who has not been here before. */
export async function openPage(browser: Browser): Promise<Page> {
	const context = await browser.newContext({
		viewport: { width: 1400, height: 900 },
		locale: 'en-US',
		timezoneId: 'UTC',
		colorScheme: 'light',
		reducedMotion: 'reduce',
	});
	context.setDefaultTimeout(PATIENCE_MS);
	return await context.newPage();
}
