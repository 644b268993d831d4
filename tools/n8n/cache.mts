import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import envPaths from 'env-paths';

import { isRunning } from './group.mts';

/** Where the installations of n8n are kept, for all checkouts of this user. */
export function cacheFolder(): string {
	return process.env.N8N_DEMO_CACHE || envPaths('n8n-demo-runtimes', { suffix: '' }).cache;
}

/** A name for what would be installed from `folder`: another one whenever the result could differ. */
export async function cacheKey(version: string, folder: string): Promise<string> {
	const hash = createHash('sha256');
	for (const name of ['package.json', 'package-lock.json']) {
		hash.update(await readFile(join(folder, name)));
	}
	return `n8n-${version}-${process.platform}-${process.arch}-${hash.digest('hex').slice(0, 12)}`;
}

const UNFINISHED = '.unfinished-';

/** A new folder beside the one that is to become `key`, marked as this process's. */
export async function makeUnfinishedFolder(cache: string, key: string): Promise<string> {
	const folder = join(cache, `${key}${UNFINISHED}${hostname()}-${process.pid}`);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	return folder;
}

/** Removes what installations left behind that were killed before they could tidy up. */
export async function removeAbandoned(cache: string): Promise<void> {
	const mine = `${UNFINISHED}${hostname()}-`;
	for (const name of await readdir(cache).catch(() => [])) {
		if (!name.includes(UNFINISHED)) continue;
		const path = join(cache, name);
		const abandoned = name.includes(mine)
			? !isRunning(Number(name.slice(name.lastIndexOf('-') + 1)))
			: // Another machine that shares this folder: a day is longer than any installation takes.
				Date.now() - (await stat(path)).mtimeMs > 24 * 3_600_000;
		if (abandoned) await rm(path, { recursive: true, force: true });
	}
}
