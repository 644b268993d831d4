import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const main = join(import.meta.dirname, '..', '..', 'mock-service', 'main.mts');

/** Runs `mock-service/main.mts`, in a process that ends after the test. */
export function program() {
	let child: ChildProcess | undefined;
	return {
		/** Starts it and waits until it has printed a text or has ended. */
		run: async (args: string[], until: string): Promise<{ output: string; code: number | null }> =>
			await new Promise((resolve) => {
				const started = spawn(process.execPath, [main, ...args]);
				child = started;
				let output = '';
				const read = (part: Buffer) => {
					output += part.toString();
					if (output.includes(until)) resolve({ output, code: null });
				};
				started.stdout.on('data', read);
				started.stderr.on('data', read);
				started.once('close', (code) => resolve({ output, code }));
			}),
		stop: () => child?.kill('SIGKILL'),
	};
}

/** The path of a data file in a new temporary directory, with what a test needs to do with it. */
export function scratchFile() {
	const directory = mkdtempSync(join(tmpdir(), 'partner-service-'));
	const path = join(directory, 'data.json');
	return {
		path,
		text: () => readFileSync(path, 'utf8'),
		write: (text: string) => writeFileSync(path, text),
		permissions: () => (statSync(path).mode & 0o777).toString(8),
		remove: () => rmSync(directory, { recursive: true }),
	};
}
