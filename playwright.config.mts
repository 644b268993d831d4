import { join } from 'node:path';
import process from 'node:process';

import { defineConfig, type Project } from '@playwright/test';

import type { WorkerOptions } from './test/e2e/support/fixtures.mts';

// Each n8n that starts loads what an earlier one has compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.data', 'e2e', 'compiled');

/** Runs specs, which globs name, on one line of n8n, which is installed first. */
const part = (
	name: string,
	version: string,
	testMatch: string,
	testIgnore: string[] = [],
): Project<{}, WorkerOptions> => ({
	name,
	testMatch: `**/${testMatch}.spec.mts`,
	testIgnore: testIgnore.map((spec) => `**/${spec}.spec.mts`),
	use: { version },
	dependencies: [`install-${version}`],
	// Tests in one worker share an n8n, which takes a while to start.
	workers: 1,
});

const install = (version: string): Project<{}, WorkerOptions> => ({
	name: `install-${version}`,
	testMatch: 'install.spec.mts',
	use: { version },
	// The first run downloads and compiles n8n.
	timeout: 30 * 60_000,
});

const weekly = Boolean(process.env.OLDEST);

export default defineConfig<{}, WorkerOptions>({
	testDir: 'test/e2e',
	projects: [
		install('2.x'),
		install('2.33'),
		install('1.x'),
		// The longest come first, so that both workers are busy until the end.
		part('2.x', '2.x', '{ai,browser,examples,versions}/*'),
		// n8n's deduplication helper is the same in both. Only 1.x reruns the executions of a lost worker.
		part('queue-2.x', '2.x', 'queue/*', ['stalled']),
		// The agent's approval in the chat needs 2.14; one version is enough for the editor.
		part('1.x', '1.x', '{examples,versions}/*', ['inEditor', 'aiAgentInvites']),
		// From 2.16 to 2.33, the connection test shows n8n's own messages.
		part('2.33', '2.33', '{examples/*,versions/{connectionTest,deliveries,operations}}', [
			'inEditor',
		]),
		// Each restarts its n8n with other settings.
		part('hosts', '2.x', 'hosts/*'),
		// weekly.yml also asks for the burst in 1.x, and for the oldest 2.x that can be installed.
		part('queue-1.x', '1.x', weekly ? 'queue/{stalled,sharedMemory}' : 'queue/stalled'),
		...(weekly
			? [install('2.0'), part('2.0', '2.0', 'versions/{certainty,deliveries,operations,trigger}')]
			: []),
	],
	fullyParallel: false,
	workers: 2,
	forbidOnly: Boolean(process.env.CI),
	// The longest test takes three minutes on a slow machine.
	timeout: 360_000,
	expect: { timeout: 30_000, toPass: { timeout: 60_000 } },
	use: {
		actionTimeout: 30_000,
		// The attribute in n8n's editor.
		testIdAttribute: 'data-test-id',
		viewport: { width: 1400, height: 900 },
		locale: 'en-US',
		timezoneId: 'UTC',
		colorScheme: 'light',
		contextOptions: { reducedMotion: 'reduce' },
		screenshot: 'only-on-failure',
		trace: { mode: 'retain-on-failure', screenshots: false },
	},
	outputDir: '.data/e2e/failures',
	reporter: [['list'], ['json', { outputFile: '.data/e2e/report.json' }]],
});
