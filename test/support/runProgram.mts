import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program of ours in a Node of its own and gives what it prints. Throws where it fails. */
export async function runProgram(path: string, options: string[]): Promise<string> {
	const { stdout } = await promisify(execFile)(process.execPath, [path, ...options]);
	return stdout;
}
