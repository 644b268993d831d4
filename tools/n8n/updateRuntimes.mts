/**
 * `npm run runtimes:update`: raises each of runtimes/ to the newest n8n of its major version that can be
 * installed here, with its lockfile. One that cannot be installed is passed over for the next older one.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { execa } from 'execa';

import { DemoError, messageOf } from './errors.mts';
import { installN8n } from './install.mts';
import { npm, withoutNpmVariables } from './npm.mts';
import { tick } from './terminal.mts';

const RUNTIMES = join(import.meta.dirname, 'runtimes');

/** Of the same major version, newest first; no betas. */
async function newerVersions(current: string): Promise<string[]> {
	const env = withoutNpmVariables();
	const command = ['view', 'n8n', 'versions', '--json'];
	const { stdout } = await execa('npm', command, { env, extendEnv: false });
	const isOfLine = (version: string) =>
		version.startsWith(current.replace(/\..*/, '.')) && !version.includes('-');
	const versions = (JSON.parse(stdout) as string[]).filter(isOfLine);
	return versions.slice(versions.indexOf(current) + 1).reverse();
}

/** Locks that version and installs it, as the demo and the tests do. Puts back what was there if that fails. */
async function raise(runtime: string, version: string): Promise<void> {
	const cwd = join(RUNTIMES, runtime);
	const files = ['package.json', 'package-lock.json'].map((name) => join(cwd, name));
	const before = await Promise.all(files.map((file) => readFile(file, 'utf8')));
	const logFile = join(tmpdir(), `n8n-${version}-${process.pid}.log`);
	try {
		const manifest = JSON.parse(before[0]);
		manifest.dependencies.n8n = version;
		await writeFile(files[0], `${JSON.stringify(manifest, null, '\t')}\n`);
		const args = ['install', '--package-lock-only', '--ignore-scripts'];
		await npm(args, { cwd, logFile, purpose: `lock n8n ${version}` });
		await installN8n(runtime);
		await rm(logFile);
	} catch (error) {
		await Promise.all(files.map((file, index) => writeFile(file, before[index])));
		throw error;
	}
}

async function update(runtime: string): Promise<void> {
	const { dependencies } = JSON.parse(
		await readFile(join(RUNTIMES, runtime, 'package.json'), 'utf8'),
	);
	const newer = await newerVersions(dependencies.n8n);
	console.log(`runtimes/${runtime} has ${dependencies.n8n}; newer: ${newer.join(', ') || 'none'}`);
	for (const version of newer) {
		try {
			await raise(runtime, version);
			console.log(`${tick} runtimes/${runtime} has ${version} now`);
			return;
		} catch (error) {
			console.log(`  ${version} cannot be installed here: ${messageOf(error)}`);
			if (error instanceof DemoError) for (const line of error.advice) console.log(`    ${line}`);
		}
	}
}

for (const runtime of await readdir(RUNTIMES)) await update(runtime);
