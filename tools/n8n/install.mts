import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { DemoError } from './errors.mts';
import { npm, type NpmRun } from './npm.mts';
import { elapsed, tick } from './terminal.mts';

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

/** Only these modules may run their install scripts, which they need. */
const NATIVE_MODULES = ['sqlite3', 'isolated-vm'];

const UNFINISHED = '.unfinished-';

/**
 * Installs n8n as runtimes/<line>/ locks it, unless it is installed already. An installation
 * is always complete: it is built in another folder, which is renamed at the end.
 *
 * @param line the name of a folder in runtimes/, such as "2.x"
 * @param signal cancels the installation and removes its files
 */
export async function installN8n(line: string, signal?: AbortSignal): Promise<Installation> {
	const source = join(import.meta.dirname, 'runtimes', line);
	// Shared by all checkouts of this user.
	const cache = process.env.N8N_DEMO_CACHE || join(homedir(), '.cache', 'n8n-demo-runtimes');
	const folder = join(cache, await nameFor(line, source));
	if (existsSync(folder)) return await describe(folder);

	await mkdir(cache, { recursive: true });
	await removeAbandoned(cache);
	const unfinished = await mkdtemp(folder + UNFINISHED);
	const logFile = `${folder}.log`;
	try {
		await cp(source, unfinished, { recursive: true });
		await build(line, { cwd: unfinished, logFile, signal });
		// If another process was faster, use its installation.
		await rename(unfinished, folder).catch((error: Error) => {
			if (!existsSync(folder)) throw error;
		});
		await rm(logFile, { force: true });
	} finally {
		await rm(unfinished, { recursive: true, force: true, maxRetries: 5 });
	}
	return await describe(folder);
}

/** A name for the installation from `source`, which differs whenever the result could. */
async function nameFor(line: string, source: string): Promise<string> {
	const hash = createHash('sha256');
	for (const name of ['package.json', 'package-lock.json']) {
		hash.update(await readFile(join(source, name)));
	}
	return `n8n-${line}-${process.platform}-${process.arch}-${hash.digest('hex').slice(0, 12)}`;
}

/** Removes what killed installations left behind. None takes a whole day. */
async function removeAbandoned(cache: string): Promise<void> {
	for (const name of await readdir(cache)) {
		const path = join(cache, name);
		const isOld = Date.now() - (await stat(path)).mtimeMs > 24 * 3_600_000;
		if (name.includes(UNFINISHED) && isOld) await rm(path, { recursive: true, force: true });
	}
}

async function build(line: string, work: Omit<NpmRun, 'purpose'>): Promise<void> {
	console.log(
		`n8n ${line} is not installed yet. Installing it takes a few minutes and 4 GB of disk space, once.`,
	);
	const started = Date.now();
	const check = ['view', 'n8n', 'name', '--fetch-retries=0', '--no-offline'];
	// Check once: offline, npm would retry each of n8n's two thousand packages for a quarter of an hour.
	await npm(check, {
		...work,
		purpose: 'reach its registry',
		advice: ['Check the network and "npm ping", then start again.'],
	});
	const install = ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'];
	await npm(install, { ...work, purpose: 'download n8n' });
	// The module's script fetches the Node for this machine, which the next step runs on and builds for.
	await npm(['rebuild', 'node'], { ...work, purpose: "fetch n8n's Node" });
	await npm(['rebuild', ...NATIVE_MODULES], {
		...work,
		env: buildEnvironment(work.cwd),
		purpose: "build n8n's native modules",
		advice: [
			'They need Python 3, make and a C++ compiler where no ready-made ones can be downloaded.',
			'On Debian or Ubuntu:  apt-get install python3 make g++    On macOS:  xcode-select --install',
		],
	});
	console.log(`${tick} n8n ${line} installed in ${elapsed(started)}`);
}

/** Puts the Node that will run the modules first on the PATH, and its headers before the compiler. */
function buildEnvironment(folder: string): Record<string, string> {
	const fromNode = createRequire(join(folder, 'node_modules', 'node', 'package.json'));
	const arm = process.platform === 'darwin' && process.arch === 'arm64';
	const platform = process.platform === 'win32' ? 'win' : process.platform;
	const binaries = `${arm ? 'node-bin' : 'node'}-${platform}-${process.arch}/package.json`;
	return {
		PATH: `${dirname(nodeIn(folder))}${delimiter}${process.env.PATH}`,
		npm_config_nodedir: dirname(fromNode.resolve(binaries)),
	};
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
