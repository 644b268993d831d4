/**
 * `npm run release:check`: everything that a release does but the publishing itself. The tarball is
 * made once; what is scanned and run in a real n8n is the very file that would be published. With a
 * folder, `npm run release:check -- FOLDER`, the tarball is there afterwards.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';

import { startDemo } from '../demo/demo.mts';
import { installN8n } from '../tools/n8n/install.mts';
import { runSmokeTest } from '../demo/smokeTest.mts';
import { step } from '../tools/n8n/terminal.mts';
import { officialScan, pack, ROOT } from './support/officialScan.mts';

const [keepIn] = process.argv.slice(2);
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
	await step('release · the next version, its changelog and its tag can be made', rehearse);
	await step('release · npm would take the tarball', async () =>
		run('npm', ['publish', tarball, '--dry-run', '--ignore-scripts']),
	);
	if (keepIn) cpSync(tarball, join(keepIn, basename(tarball)));
} catch {
	// The step that failed has said why.
	process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true });
}

/** `npm run release` as a maintainer runs it, in a clone whose remote is a folder. */
async function rehearse(): Promise<void> {
	const [remote, clone] = [join(folder, 'remote.git'), join(folder, 'clone')];
	const git = (...options: string[]) => run('git', options, clone);
	const read = (file: string) => readFileSync(join(clone, file), 'utf8');
	run('git', ['init', '--quiet', '--bare', remote]);
	run('git', ['clone', '--quiet', ROOT, clone]);
	symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
	git('config', 'user.name', 'Rehearsal');
	git('config', 'user.email', 'rehearsal@localhost');
	git('remote', 'set-url', 'origin', remote);
	git('checkout', '--quiet', '-B', 'main');
	const { version } = JSON.parse(read('package.json')) as { version: string };
	git('tag', '--force', version);
	git('commit', '--quiet', '--allow-empty', '--message', 'feat: rehearse a release');
	git('push', '--quiet', '--set-upstream', 'origin', 'main', '--tags');

	run('n8n-node', ['release'], clone, { CI: 'true', GITHUB_ACTIONS: '' });

	const { version: next } = JSON.parse(read('package.json')) as { version: string };
	assert.notEqual(next, version);
	run('git', ['rev-parse', '--verify', '--quiet', `refs/tags/${next}`], remote);
	const changelog = read('CHANGELOG.md');
	assert.match(changelog, /^# Changelog\n+## .+\n+### Features\n+- Rehearse a release/);
	// That part was written by hand.
	assert.equal(changelog.match(/^## \[?1\.0\.0\b/gm)?.length, 1);
}

function run(command: string, options: string[], cwd = ROOT, env = {}): void {
	execFileSync(command, options, {
		cwd,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'ignore', 'pipe'],
	});
}
