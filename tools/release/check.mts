/**
 * `npm run release:check`: everything that a release does except publishing. The tarball is made once; the file that
 * is scanned and run in a real n8n is the one that would be published. With a folder (`-- FOLDER`), the tarball stays
 * there.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';

import { startDemo } from '../../demo/demo.mts';
import { installN8n } from '../n8n/install.mts';
import { runSmokeTest } from '../../demo/smokeTest.mts';
import { withoutNpmVariables } from '../n8n/npm.mts';
import { step } from '../n8n/terminal.mts';
import { officialScan, pack, ROOT } from './officialScan.mts';

const [keepIn] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'candidate-assessment-release-'));
try {
	const tarball = await step('release · the package is packed', async () => pack(folder));
	await officialScan(tarball);
	await step('release · the tarball does its work in a real n8n', async () => {
		const installation = await installN8n('2.x');
		const dataFolder = join(folder, 'data');
		const demo = await startDemo({ installation, tarball, dataFolder });
		await runSmokeTest(demo).finally(async () => await demo.stop());
	});
	await step('release · the next version, its changelog and its tag can be made', rehearse);
	if (keepIn) cpSync(tarball, join(keepIn, basename(tarball)));
} catch {
	// The failed step has printed the reason.
	process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true });
}

/** Rehearses the next release by CONTRIBUTING, in a clone whose remote takes no push to main. */
async function rehearse(): Promise<void> {
	const [remote, clone] = [join(folder, 'remote.git'), join(folder, 'clone')];
	const git = (...options: string[]) => run('git', options, clone);
	const read = (file: string) => readFileSync(join(clone, file), 'utf8');
	const versionIn = (file: string) => (JSON.parse(read(file)) as { version: string }).version;
	run('git', ['init', '--quiet', '--bare', remote]);
	run('git', ['clone', '--quiet', ROOT, clone]);
	symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
	git('config', 'user.name', 'Rehearsal');
	git('config', 'user.email', 'rehearsal@localhost');
	git('remote', 'set-url', 'origin', remote);
	git('checkout', '--quiet', '-B', 'main');
	const version = versionIn('package.json');
	git('tag', '--force', version);
	git('commit', '--quiet', '--allow-empty', '--message', 'feat: rehearse a release');
	git('push', '--quiet', '--set-upstream', 'origin', 'main', '--tags');
	const protection = '#!/bin/sh\n! grep -q "refs/heads/main$"\n';
	writeFileSync(join(remote, 'hooks', 'pre-receive'), protection, { mode: 0o755 });

	git('switch', '--quiet', '--create', 'release');
	run('npm', ['run', 'release', '--', 'patch'], clone);
	const next = versionIn('package.json');
	assert.notEqual(next, version);
	assert.equal(versionIn('package-lock.json'), next);
	git('commit', '--quiet', '--all', '--message', `chore: release ${next}`);
	assert.throws(() => git('push', '--quiet', 'origin', 'release:main'));
	git('push', '--quiet', 'origin', 'release');
	// GitHub merges the pull request.
	run('git', ['update-ref', 'refs/heads/main', 'refs/heads/release'], remote);
	git('switch', '--quiet', 'main');
	git('pull', '--quiet');
	git('tag', next);
	git('push', '--quiet', 'origin', next);

	run('git', ['merge-base', '--is-ancestor', next, 'main'], remote);
	const changelog = read('CHANGELOG.md');
	assert.match(
		changelog,
		/^# Changelog\n+## .+ - \d{4}-\d\d-\d\d\n+### Features\n+- Rehearse a release/,
	);
	// The 1.0.0 section was written by hand.
	assert.equal(changelog.match(/^## \[?1\.0\.0\b/gm)?.length, 1);
}

function run(command: string, options: string[], cwd = ROOT): void {
	execFileSync(command, options, {
		cwd,
		env: withoutNpmVariables(),
		stdio: ['ignore', 'ignore', 'pipe'],
	});
}
