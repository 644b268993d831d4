import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs one of our programs in a process of its own. Returns its output. Throws if it fails. */
export async function runProgram(path: string, options: string[]): Promise<string> {
	const { stdout } = await promisify(execFile)(process.execPath, [path, ...options]);
	return stdout;
}
