/**
 * The fixtures of the end-to-end tests. To add tests, put a file `<name>.spec.mts` into the folder of
 * a part (see `playwright.config.mts`), import `test` and `expect` from here, and name what a test
 * needs as its argument: `test('a sentence', async ({ n8n, service }) => …)`.
 *
 * Tests that run in the same worker share `n8n` and `editor`; all else is new for each test. A test
 * creates its own workflows, and relies on nothing from another test. If one test must
 * continue another, use `test.describe.serial`.
 */
import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { test as base, type Page } from '@playwright/test';

import type { PartnerService } from '../../../mock-service/service.mts';
import type { Credential } from '../../../tools/n8n/client.mts';
import { BrokenService } from './brokenService.mts';
import { createCredential } from '../../support/credentials.mts';
import { Editor } from './editor.mts';
import { systemProgram } from './programs.mts';
import { startRestartableService } from './restartableService.mts';
import {
	OWNER,
	startTestN8n,
	withTestEnvironment,
	type TestEnvironment,
	type TestN8n,
} from './testEnvironment.mts';
import { driveTrigger, type TriggerDriver } from './triggerDriver.mts';

export { expect } from '@playwright/test';

/** The options of a project in `playwright.config.mts`. */
export interface WorkerOptions {
	/** A line of n8n: a folder in `tools/n8n/runtimes`. */
	version: string;
}

interface WorkerFixtures {
	/** An installed n8n, the packed package, and a folder for data and logs. */
	environment: TestEnvironment;
	/** A real n8n with the package in it. */
	n8n: TestN8n;
	/** n8n's editor in a browser, with its owner logged in. It's shared, because each new one loads megabytes. */
	editor: Editor;
}

interface TestFixtures {
	/** A mock service. */
	service: PartnerService;
	/** A service that responds as the test says, down to the bytes. */
	broken: BrokenService;
	/** A credential for `service`, stored in `n8n`. */
	credential: Credential;
	/** A workflow with our trigger, not published yet, and a mock service of its own. */
	trigger: TriggerDriver;
	/** A browser that is not logged in to n8n. */
	candidate: Page;
	/** Attaches the logs to the report of a test that failed. */
	attachLogs: void;
}

/** n8n starts in seconds, but on a busy machine it takes longer. */
const START_MS = 300_000;

const startService = async ({ folder }: TestEnvironment) =>
	await startRestartableService(join(folder, `service-${randomUUID()}.json`));

/** For tests that need no n8n. */
export const bareTest = base.extend<{}, WorkerOptions>({
	version: ['2.x', { scope: 'worker', option: true }],
});

export const test = bareTest.extend<TestFixtures, WorkerFixtures>({
	environment: [
		async ({ version }, use) => await withTestEnvironment(version, use),
		{ scope: 'worker', timeout: START_MS },
	],

	n8n: [
		async ({ environment }, use) => {
			const n8n = await startTestN8n(environment);
			await use(n8n);
			await n8n.kill();
		},
		{ scope: 'worker', timeout: START_MS },
	],

	service: async ({ environment }, use) => {
		const service = await startService(environment);
		await use(service.running);
		await service.stop();
	},

	broken: async ({}, use) => {
		const broken = new BrokenService();
		await broken.start();
		await use(broken);
		await broken.stop();
	},

	credential: async ({ n8n, service }, use) =>
		await use(await createCredential(n8n.client, service)),

	trigger: async ({ environment, n8n }, use, { title }) => {
		const service = await startService(environment);
		const trigger = await driveTrigger(n8n, service, title);
		await use(trigger);
		await service.stop();
	},

	launchOptions: [
		async ({ launchOptions }, use) => {
			const names = ['chromium', 'chromium-browser', 'google-chrome'];
			const executablePath = systemProgram('Chromium', names, 'CHROMIUM_PATH');
			// There may be no graphics card. Playwright already keeps the browser from sending requests on its own.
			await use({ ...launchOptions, executablePath, args: ['--disable-gpu', '--disable-quic'] });
		},
		{ scope: 'worker' },
	],

	editor: [
		async ({ n8n, browser }, use) => {
			const context = await browser.newContext();
			const editor = new Editor(await context.newPage(), n8n.baseUrl);
			await editor.logIn(OWNER);
			await use(editor);
			await context.close();
		},
		{ scope: 'worker', timeout: START_MS },
	],

	candidate: async ({ page }, use) => await use(page),

	attachLogs: [
		async ({ environment: { folder } }, use, testInfo) => {
			const startedAt = Date.now();
			await use();
			if (testInfo.status === testInfo.expectedStatus) return;
			for (const name of await readdir(folder)) {
				const path = join(folder, name);
				// Other JSON files hold the data of earlier tests' services.
				const isOfThisTest = (await stat(path)).mtimeMs >= startedAt;
				if (!name.endsWith('.log') && !(name.endsWith('.json') && isOfThisTest)) continue;
				await testInfo.attach(name, { path, contentType: 'text/plain' });
			}
		},
		{ auto: true },
	],
});
