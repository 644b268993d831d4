import { createHash } from 'node:crypto';
import { existsSync, globSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { npm } from './npm.mts';

const CHECKOUT = join(import.meta.dirname, '..', '..');

/** The files that determine the tarball. */
const SOURCES = [
	...['nodes', 'credentials', 'icons'],
	...['package.json', 'package-lock.json', 'tsconfig.json', 'gulpfile.js'],
	...['README.md', 'LICENSE', 'CHANGELOG.md'],
];

interface PackOptions {
	/** Keeps the tarballs, by the hash of their sources. */
	folder: string;
	signal?: AbortSignal;
}

/**
 * Builds and packs this package, unless that was done for the same sources. Returns the tarball's path. It is
 * built in a copy, so as not to disturb a build or a test run in the checkout.
 */
export async function packPackage({ folder, signal }: PackOptions): Promise<string> {
	const { name, version } = await packageJson(CHECKOUT);
	await mkdir(folder, { recursive: true });
	const tarball = async (sources: string) =>
		join(folder, `${name}-${version}-${await hashOfSources(sources)}.tgz`);
	const packed = await tarball(CHECKOUT);
	if (existsSync(packed)) return packed;

	const copy = await mkdtemp(join(folder, 'build-'));
	const logFile = `${copy}.log`;
	try {
		for (const source of SOURCES) {
			await cp(join(CHECKOUT, source), join(copy, source), { recursive: true });
		}
		await symlink(join(CHECKOUT, 'node_modules'), join(copy, 'node_modules'), 'junction');
		const made = await tarball(copy);
		await npm(['pack'], { cwd: copy, logFile, signal, purpose: 'build and pack the package' });
		await rename(join(copy, `${name}-${version}.tgz`), made);
		await rm(logFile, { force: true });
		return made;
	} finally {
		await rm(copy, { recursive: true, force: true });
	}
}

interface InstallPackageOptions {
	tarball: string;
	/** The folder that holds n8n's `.n8n`. */
	userFolder: string;
	signal?: AbortSignal;
}

/** Installs the packed package where n8n loads community packages from. n8n must not be running. */
export async function installPackage({ tarball, userFolder, signal }: InstallPackageOptions) {
	const folder = join(userFolder, '.n8n', 'nodes');
	const marker = join(folder, '.installed-from');
	const { name } = await packageJson(CHECKOUT);
	const installed = join(folder, 'node_modules', name, 'package.json');
	if (existsSync(installed) && (await readFile(marker, 'utf8').catch(() => '')) === tarball) return;

	await mkdir(folder, { recursive: true });
	const manifest = join(folder, 'package.json');
	// n8n may have created this file.
	if (!existsSync(manifest)) await writeFile(manifest, '{ "private": true, "dependencies": {} }');
	await npm(
		[
			...['install', tarball, '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'],
			// Installs no copy of the peer n8n-workflow, which n8n provides.
			'--legacy-peer-deps',
			// The package has no dependencies, so npm needs no registry.
			'--offline',
		],
		{
			cwd: folder,
			logFile: join(folder, 'install.log'),
			signal,
			purpose: 'install the package into n8n',
		},
	);
	await writeFile(marker, tarball);
}

/**
 * Keeps an n8n's copy of the package up to date with the sources and icons; n8n reloads it where N8N_DEV_RELOAD is
 * "true". Messages go to the terminal.
 */
export async function watchPackage(userFolder: string, signal: AbortSignal): Promise<void> {
	const { name } = await packageJson(CHECKOUT);
	const outDir = join(userFolder, '.n8n', 'nodes', 'node_modules', name, 'dist');
	const watchers = [
		['tsc', '--watch', '--preserveWatchOutput'],
		['gulp', 'watch'],
	];
	await Promise.all(
		watchers.map(([command, ...options]) =>
			execa(command, [...options, '--outDir', outDir], {
				cwd: CHECKOUT,
				preferLocal: true,
				stdin: 'ignore',
				stdout: 'inherit',
				stderr: 'inherit',
				cancelSignal: signal,
				reject: false,
			}),
		),
	);
}

async function packageJson(folder: string): Promise<{ name: string; version: string }> {
	return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}

async function hashOfSources(folder: string): Promise<string> {
	const hash = createHash('sha256');
	const files = globSync([...SOURCES, '{nodes,credentials,icons}/**'], { cwd: folder }).sort();
	for (const file of files) {
		const path = join(folder, file);
		if (statSync(path).isFile()) hash.update(`${file}\0`).update(await readFile(path));
	}
	return hash.digest('hex').slice(0, 12);
}
