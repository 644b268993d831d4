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
import { runOnce } from '../demo/smokeTest.mts';
import { Checks } from './support/checks.mts';
import { officialScan, pack, ROOT } from './support/officialScan.mts';

const isToBePublished = process.argv.includes('--publish');
if (isToBePublished && !process.env.GITHUB_ACTIONS) {
	console.error('Only GitHub Actions publishes: n8n wants the provenance that it attests.');
	process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'candidate-assessment-release-'));
const checks = new Checks();
try {
	const tarball = pack(folder);
	await officialScan(checks, tarball);
	await checks.check('release', 'the tarball does its work in a real n8n', async () => {
		const installation = await installN8n('2.41');
		const dataFolder = join(folder, 'data');
		const demo = await startDemo({ installation, tarball, dataFolder });
		await runOnce(demo).finally(async () => await demo.stop());
	});
	await checks.check('release', 'version, changelog and tag can be made', async () => {
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
	await checks.check('release', 'npm would take the tarball', async () =>
		run('npm', ['publish', tarball, '--dry-run', '--ignore-scripts']),
	);
	if (isToBePublished && checks.failed === 0) {
		run('npm', ['publish', tarball, '--provenance', '--access', 'public', '--ignore-scripts']);
	}
} finally {
	rmSync(folder, { recursive: true });
}
console.log(`\n${checks.passed} passed, ${checks.failed} failed`);
process.exit(checks.failed === 0 ? 0 : 1);

function run(command: string, options: string[], cwd = ROOT): void {
	execFileSync(command, options, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
}
