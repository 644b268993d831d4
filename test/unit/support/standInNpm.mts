import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import type { NpmRun } from '../../../tools/n8n/npm.mts';

const DOWNLOADS = `npm http fetch GET 200 https://registry.example/a.tgz 5ms
npm http fetch GET 200 https://registry.example/a 5ms
npm http fetch GET 200 https://registry.example/b.tgz 5ms
`;

/** Ends npm's current command. */
export let endNpm: () => void;

/** In place of npm's commands. Each goes on until it is ended, but for the check of the network. */
export async function npm([command]: string[], { cwd, logFile }: NpmRun): Promise<void> {
	if (command === 'view') return;
	const ended = new Promise<void>((resolve) => (endNpm = resolve));
	if (command === 'install') await appendFile(logFile, DOWNLOADS);
	await ended;
	for (const name of ['n8n', 'node/bin', `node-${process.platform}-${process.arch}`]) {
		await mkdir(join(cwd, 'node_modules', name), { recursive: true });
		await writeFile(join(cwd, 'node_modules', name, 'package.json'), '{ "version": "2.41.1" }');
	}
	await writeFile(join(cwd, 'node_modules', 'node', 'bin', 'node'), '');
}

/** From now on, this process finds no n8n installed. Returns what removes the installations. */
export async function useEmptyCache(): Promise<() => Promise<void>> {
	const cache = await mkdtemp(join(tmpdir(), 'runtimes-'));
	process.env.N8N_DEMO_CACHE = cache;
	return async () => await rm(cache, { recursive: true });
}
