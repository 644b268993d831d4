import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { createRequire } from 'node:module';

import { cacheFolder, cacheKey, makeUnfinishedFolder, removeAbandoned } from './cache.mts';
import { DemoError } from './errors.mts';
import { npm } from './npm.mts';
import { showProgress } from './terminal.mts';
import { howToGetBuildTools, missingBuildTools } from './toolchain.mts';

/** A complete n8n of its own in the user's cache folder. */
export interface Installation {
	/** n8n's exact version, such as "2.41.1". */
	version: string;
	folder: string;
	/** The Node that this n8n runs on. */
	node: string;
	/** n8n's own start script, for that Node. */
	n8n: string;
}

export interface InstallOptions {
	/** Ends an installation under way and removes what it had done. */
	signal?: AbortSignal;
}

/** n8n takes 2.8 GB, npm's own cache 0.9 GB beside it. */
const NEEDED_GIB = 5;

/** The modules that are nothing without their install scripts; no others may run theirs. */
const NATIVE_MODULES = ['sqlite3', 'isolated-vm'];

/**
 * Installs n8n as runtimes/<version>/ locks it, unless it is installed already. An installation that
 * is in place is complete: it is built in a folder beside it and renamed at the end.
 *
 * @param version the name of a folder in runtimes/, such as "2.41"
 */
export async function installN8n(
	version: string,
	{ signal }: InstallOptions = {},
): Promise<Installation> {
	const source = join(import.meta.dirname, 'runtimes', version);
	if (!existsSync(source)) {
		const versions = await readdir(dirname(source));
		throw new DemoError(
			`There is no n8n ${version} here.`,
			`Choose one of: ${versions.join(', ')}`,
		);
	}
	const cache = cacheFolder();
	const key = await cacheKey(version, source);
	const folder = join(cache, key);
	if (existsSync(folder)) return await describe(folder);

	await mkdir(cache, { recursive: true }).catch((error: Error) => {
		throw new DemoError(
			`The cache folder ${cache} cannot be made (${error.message}).`,
			'Set N8N_DEMO_CACHE to a folder that you may write to.',
		);
	});
	await removeAbandoned(cache);
	await requireRoom(cache);

	const unfinished = await makeUnfinishedFolder(cache, key);
	const logFile = join(cache, `${key}-${process.pid}.log`);
	try {
		await build(version, source, unfinished, { logFile, signal });
		await describe(unfinished);
		await putInPlace(unfinished, folder);
		await removeLogs(cache, key);
	} finally {
		if (signal?.aborted) await rm(logFile, { force: true });
		await rm(unfinished, { recursive: true, force: true, maxRetries: 5 });
	}
	return await describe(folder);
}

async function requireRoom(folder: string) {
	const { bavail, bsize } = await statfs(folder);
	const free = (bavail * bsize) / 2 ** 30;
	if (free >= NEEDED_GIB) return;
	throw new DemoError(
		`n8n needs about ${NEEDED_GIB} GB of disk while it is installed, and ${folder} has ${free.toFixed(1)} GB left.`,
		'Make room, or set N8N_DEMO_CACHE to a folder on another disk.',
	);
}

type Work = { logFile: string; signal?: AbortSignal };

async function build(version: string, source: string, folder: string, work: Work) {
	console.log(`n8n ${version} is not installed yet. This takes some minutes, once.`);
	const progress = showProgress();
	try {
		for (const name of await readdir(source))
			await copyFile(join(source, name), join(folder, name));
		await requireRegistry(folder, work);
		const missing = missingBuildTools();
		if (missing.length > 0) {
			progress.stage('Looking for a ready-made sqlite3, as there is no compiler');
			await requireReadyMade(folder, missing, work);
		}

		progress.stage('Downloading n8n');
		await npm(['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'], {
			...work,
			cwd: folder,
			purpose: 'download n8n',
		});

		// Its script fetches the Node for this machine, which the next step builds for and runs on.
		progress.stage('Fetching the Node that n8n runs on');
		await npm(['rebuild', 'node'], { ...work, cwd: folder, purpose: "fetch n8n's Node" });

		progress.stage('Building the native modules');
		await npm(['rebuild', ...NATIVE_MODULES], {
			...work,
			cwd: folder,
			env: buildEnvironment(folder),
			purpose: "build n8n's native modules",
		});
		progress.done(`n8n ${version} installed`);
	} catch (error) {
		progress.done();
		throw error;
	}
}

/**
 * Asks the registry one thing, once: npm would try each of n8n's two thousand packages again and again,
 * and say for a quarter of an hour that it is downloading.
 */
async function requireRegistry(folder: string, work: Work) {
	await npm(['view', 'n8n', 'name', '--fetch-retries=0', '--fetch-timeout=30000', '--no-offline'], {
		...work,
		cwd: folder,
		purpose: 'download n8n',
	});
}

/** Puts the Node that will run the modules first on the PATH, and its headers before the compiler. */
function buildEnvironment(folder: string): Record<string, string> {
	const node = nodeIn(folder);
	const fromNode = createRequire(join(folder, 'node_modules', 'node', 'package.json'));
	const arm = process.platform === 'darwin' && process.arch === 'arm64';
	const platform = process.platform === 'win32' ? 'win' : process.platform;
	const binaries = `${arm ? 'node-bin' : 'node'}-${platform}-${process.arch}/package.json`;
	return {
		PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
		npm_config_nodedir: dirname(fromNode.resolve(binaries)),
	};
}

/**
 * Without a compiler, n8n can be installed where sqlite3's makers offer a ready-made binary and it can
 * be downloaded. Better to know before the minutes of downloading than after them.
 */
async function requireReadyMade(folder: string, missing: string[], work: Work) {
	const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
	const probe = join(folder, 'probe');
	await mkdir(probe);
	try {
		const version: string = lock.packages['node_modules/sqlite3'].version;
		await npm(['install', '--no-save', '--prefix', '.', `sqlite3@${version}`], {
			...work,
			cwd: probe,
			purpose: 'get sqlite3',
		});
	} catch (error) {
		work.signal?.throwIfAborted();
		throw new DemoError(
			`n8n's database module (sqlite3) has to be compiled here, and this machine lacks ${missing.join(', ')}.`,
			[howToGetBuildTools(), 'Then start again.', `npm's whole output is in ${work.logFile}`],
			{ cause: error },
		);
	} finally {
		await rm(probe, { recursive: true, force: true });
	}
}

/** Of two installations at once, the second to finish finds the place taken and uses what is there. */
async function putInPlace(unfinished: string, folder: string) {
	try {
		await rename(unfinished, folder);
	} catch (error) {
		if (!existsSync(folder)) throw error;
	}
}

/** The logs of failures are of no use any more once it has worked. */
async function removeLogs(cache: string, key: string) {
	for (const name of await readdir(cache)) {
		if (name.startsWith(`${key}-`) && name.endsWith('.log')) await rm(join(cache, name));
	}
}

function nodeIn(folder: string): string {
	const name = process.platform === 'win32' ? 'node.exe' : 'node';
	return join(folder, 'node_modules', 'node', 'bin', name);
}

async function describe(folder: string): Promise<Installation> {
	const n8n = join(folder, 'node_modules', 'n8n');
	const node = nodeIn(folder);
	if (!existsSync(node)) {
		throw new DemoError(
			`The n8n in ${folder} is damaged: its Node is missing.`,
			'Remove that folder and start again.',
		);
	}
	const { version } = JSON.parse(await readFile(join(n8n, 'package.json'), 'utf8'));
	return { version, folder, node, n8n: join(n8n, 'bin', 'n8n') };
}
