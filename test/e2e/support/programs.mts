import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

import { DemoError } from '../../../tools/n8n/errors.mts';

/** The path of a command, if it is in one of the folders on PATH. */
export function findOnPath(command: string): string | undefined {
	const folders = (process.env.PATH ?? '').split(delimiter);
	return folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
}

/** The path of a program of the system. Throws with advice if there is none. */
export function systemProgram(what: string, names: string[], variable: string): string {
	const path = process.env[variable] || names.map(findOnPath).find(Boolean);
	if (path) return path;
	throw new DemoError(
		`These tests need ${what}: there is no ${names.join(' or ')} on the PATH. ` +
			`Install it (on Debian or Ubuntu: apt-get install ${names[0]}), or set ${variable} to its path.`,
	);
}
