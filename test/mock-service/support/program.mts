import { spawn } from 'node:child_process';
import { on } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';

const main = join(import.meta.dirname, '..', '..', '..', 'mock-service', 'main.mts');

/** Starts `mock-service/main.mts`. Returns its output once that contains a text. */
export async function startProgram(args: string[], until: string) {
	const child = spawn(process.execPath, [main, ...args]);
	let output = '';
	for await (const [part] of on(child.stdout, 'data', { close: ['end'] })) {
		if ((output += String(part)).includes(until)) break;
	}
	return { output, kill: () => child.kill('SIGKILL') };
}
