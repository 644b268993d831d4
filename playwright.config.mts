import { join } from 'node:path';
import process from 'node:process';

import { defineConfig, type Project } from '@playwright/test';

import type { WorkerOptions } from './test/e2e/support/fixtures.mts';

// Each n8n that starts loads what an earlier one has compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.data', 'e2e', 'compiled');

/** Runs one folder of `test/e2e` on one line of n8n, which is installed first. */
function part(name: string, folder: string, version: string): Project<{}, WorkerOptions> {
	return {
		name,
		testDir: `test/e2e/${folder}`,
		use: { version },
		dependencies: [`install-${version}`],
		// Tests in one worker share an n8n, which takes a while to start.
		workers: 1,
	};
}

const install = (version: string): Project<{}, WorkerOptions> => ({
	name: `install-${version}`,
	testDir: 'test/e2e',
	testMatch: 'install.spec.mts',
	use: { version },
	// The first run downloads and compiles n8n.
	timeout: 30 * 60_000,
});

const oldest = {
	...part('n8n-2.0', 'versions', '2.0'),
	testMatch: /(certainty|deliveries|operations|trigger)\.spec/,
};

export default defineConfig<{}, WorkerOptions>({
	testMatch: '*.spec.mts',
	projects: [
		install('2.x'),
		install('2.33'),
		install('1.x'),
		// The longest come first, so that both workers are busy until the end.
		// n8n's deduplication helper is the same in both. Only 1.x reruns the executions of a lost worker.
		{ ...part('queue-2.x', 'queue', '2.x'), testIgnore: 'stalled.spec.mts' },
		part('examples-2.x', 'examples', '2.x'),
		// The agent's approval in the chat needs 2.14; one version is enough for the editor.
		{ ...part('examples-1.x', 'examples', '1.x'), testIgnore: /(inEditor|aiAgentInvites)\.spec/ },
		{ ...part('examples-2.33', 'examples', '2.33'), testIgnore: /inEditor\.spec/ },
		part('n8n-2.x', 'versions', '2.x'),
		part('n8n-1.x', 'versions', '1.x'),
		// From 2.16 to 2.33, the connection test shows n8n's own messages.
		{
			...part('n8n-2.33', 'versions', '2.33'),
			testMatch: /(connectionTest|deliveries|operations)\.spec/,
		},
		// Each restarts its n8n with other settings.
		part('hosts', 'hosts', '2.33'),
		part('proxy', 'proxy', '2.x'),
		part('browser', 'browser', '2.x'),
		// These need n8n's MCP server.
		part('ai', 'ai', '2.x'),
		part('crash-2.x', 'crash', '2.x'),
		part('crash-1.x', 'crash', '1.x'),
		// weekly.yml also asks for the burst in 1.x, and for the oldest 2.x that can be installed.
		{
			...part('queue-1.x', 'queue', '1.x'),
			testMatch: process.env.OLDEST ? /(stalled|sharedMemory)\.spec/ : 'stalled.spec.mts',
		},
		...(process.env.OLDEST ? [install('2.0'), oldest] : []),
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
