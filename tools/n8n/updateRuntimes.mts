/**
 * `npm run runtimes:update`: updates each of runtimes/ to the newest n8n of its line (1.x, 2.0, 2.33, 2.x) that can be
 * installed, and its Node. The root follows 2.x, because the integration tests run on n8n-core. Fails if there is a
 * newer n8n and none could be installed.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { execa } from 'execa';

import { DemoError, messageOf } from './errors.mts';
import { installN8n } from './install.mts';
import { npm, withoutNpmVariables } from './npm.mts';
import { tick } from './terminal.mts';

type Versions = Record<string, string>;

const ROOT = join(import.meta.dirname, '..', '..');
const RUNTIMES = join(import.meta.dirname, 'runtimes');

/** Newer versions of a line ("2.x", "2.33"), newest first, without betas. */
async function newerVersions(name: string, current: string, line: string): Promise<string[]> {
	const env = withoutNpmVariables();
	const command = ['view', name, 'versions', '--json'];
	const { stdout } = await execa('npm', command, { env, extendEnv: false });
	const prefix = `${line.replace(/\.x$/, '')}.`;
	const isOfLine = (version: string) => version.startsWith(prefix) && !version.includes('-');
	const versions = (JSON.parse(stdout) as string[]).filter(isOfLine);
	return versions.slice(versions.indexOf(current) + 1).reverse();
}

const manifestIn = async (folder: string) =>
	JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));

/** Writes versions into a folder's package.json and updates its lockfile. Restores both if that fails. */
async function raise(
	cwd: string,
	section: 'dependencies' | 'devDependencies',
	versions: Versions,
	afterwards?: () => Promise<unknown>,
): Promise<void> {
	const files = ['package.json', 'package-lock.json'].map((name) => join(cwd, name));
	const before = await Promise.all(files.map((file) => readFile(file, 'utf8')));
	const logFile = join(tmpdir(), `runtimes-update-${process.pid}.log`);
	try {
		const manifest = await manifestIn(cwd);
		Object.assign(manifest[section], versions);
		await writeFile(files[0], `${JSON.stringify(manifest, null, '\t')}\n`);
		const args = ['install', '--package-lock-only', '--ignore-scripts'];
		await npm(args, { cwd, logFile, purpose: 'lock these versions' });
		await afterwards?.();
		await rm(logFile);
	} catch (error) {
		await Promise.all(files.map((file, index) => writeFile(file, before[index])));
		throw error;
	}
}

async function update(line: string): Promise<void> {
	const folder = join(RUNTIMES, line);
	const { n8n, node } = (await manifestIn(folder)).dependencies as Versions;
	const newer = await newerVersions('n8n', n8n, line);
	console.log(`runtimes/${line} has n8n ${n8n}; newer: ${newer.join(', ') || 'none'}`);
	const [newestNode = node] = await newerVersions('node', node, `${parseInt(node)}.x`);
	for (const version of newer) {
		try {
			const versions = { n8n: version, node: newestNode };
			await raise(folder, 'dependencies', versions, () => installN8n(line));
			console.log(`${tick} runtimes/${line} has n8n ${version} now`);
			return;
		} catch (error) {
			console.log(`  ${version} cannot be installed here: ${messageOf(error)}`);
			if (error instanceof DemoError) for (const words of error.advice) console.log(`    ${words}`);
		}
	}
	if (newer.length > 0) process.exitCode = 1;
}

for (const line of await readdir(RUNTIMES)) await update(line);

const { packages } = JSON.parse(
	await readFile(join(RUNTIMES, '2.x', 'package-lock.json'), 'utf8'),
) as { packages: Record<string, { version: string }> };
const followed = ['n8n-core', 'n8n-workflow', 'node'].map(
	(name) => [name, packages[`node_modules/${name}`].version] as const,
);
await raise(ROOT, 'devDependencies', Object.fromEntries(followed));
console.log(`${tick} the root has ${followed.flat().join(' ')}; run npm install`);
