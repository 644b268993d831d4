import { execFile, type ExecFileException } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs one of our programs in a process of its own. Returns its output. Throws if it fails. */
export async function runProgram(path: string, options: string[]): Promise<string> {
	try {
		return (await promisify(execFile)(process.execPath, [path, ...options])).stdout;
	} catch (error) {
		const { signal, stderr } = error as ExecFileException;
		throw new Error(`${path} failed${signal ? ` (${signal})` : ''}:\n${stderr}`);
	}
}
