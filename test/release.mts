/**
 * `npm run release:check`: everything that a release does but the publishing itself. The tarball is
 * made once; what is scanned and run in a real n8n is the very file that would be published.
 *
 * `npm run release:publish` (in GitHub Actions only) does the same and then publishes that file.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { startDemo } from '../demo/demo.mts';
import { installN8n } from '../tools/n8n/install.mts';
import { runSmokeTest } from '../demo/smokeTest.mts';
import { step } from '../tools/n8n/terminal.mts';
import { officialScan, pack, ROOT } from './support/officialScan.mts';

const isToBePublished = process.argv.includes('--publish');
if (isToBePublished && !process.env.GITHUB_ACTIONS) {
	console.error('Only GitHub Actions publishes: n8n wants the provenance that it attests.');
	process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'candidate-assessment-release-'));
try {
	const tarball = await step('release · the package is packed', async () => pack(folder));
	await officialScan(tarball);
	await step('release · the tarball does its work in a real n8n', async () => {
		const installation = await installN8n('2.41');
		const dataFolder = join(folder, 'data');
		const demo = await startDemo({ installation, tarball, dataFolder });
		await runSmokeTest(demo).finally(async () => await demo.stop());
	});
	await step('release · version, changelog and tag can be made', async () => {
		// In a clone, which has a remote and nothing uncommitted; with what node-cli hands over.
		const clone = join(folder, 'clone');
		run('git', ['clone', '--quiet', ROOT, clone]);
		const changelog =
			'--git.changelog=auto-changelog --stdout --unreleased -l false -u --hide-credit';
		run(
			'release-it',
			['--ci', '--dry-run', '--npm.publish=false', '--no-git.requireUpstream', changelog],
			clone,
		);
	});
	await step('release · npm would take the tarball', async () =>
		run('npm', ['publish', tarball, '--dry-run', '--ignore-scripts']),
	);
	if (isToBePublished) {
		await step('release · the tarball is published', async () =>
			run('npm', ['publish', tarball, '--provenance', '--access', 'public', '--ignore-scripts']),
		);
	}
} catch {
	// The step that failed has said why.
	process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true });
}

function run(command: string, options: string[], cwd = ROOT): void {
	execFileSync(command, options, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
}
