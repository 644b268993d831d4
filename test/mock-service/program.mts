import { execFile, spawn } from 'node:child_process';
import { on } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const main = join(import.meta.dirname, '..', '..', 'mock-service', 'main.mts');

/** Runs `mock-service/main.mts` to its end. Rejects if it fails. */
export const runProgram = async (args: string[]) =>
	await promisify(execFile)(process.execPath, [main, ...args]);

/** Starts `mock-service/main.mts`. Returns what it has printed once that holds a text. */
export async function startProgram(args: string[], until: string) {
	const child = spawn(process.execPath, [main, ...args]);
	let output = '';
	for await (const [part] of on(child.stdout, 'data', { close: ['end'] })) {
		if ((output += String(part)).includes(until)) break;
	}
	return { output, kill: () => child.kill('SIGKILL') };
}

const directory = mkdtempSync(join(tmpdir(), 'partner-service-'));
const path = join(directory, 'data.json');

/** A data file in a temporary directory. */
export const dataFile = {
	path,
	text: () => readFileSync(path, 'utf8'),
	write: (text: string) => writeFileSync(path, text),
	permissions: () => (statSync(path).mode & 0o777).toString(8),
	remove: () => rmSync(directory, { recursive: true }),
};
