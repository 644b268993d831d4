import process from 'node:process';

import { DemoError } from '../../tools/n8n/errors.mts';
import { findOnPath } from '../../tools/n8n/toolchain.mts';

/** The path of a program that comes from the system. Fails with advice where there is none. */
export function systemProgram(what: string, names: string[], variable: string): string {
	const chosen = process.env[variable];
	if (chosen) return chosen;
	for (const name of names) {
		const found = findOnPath(name);
		if (found) return found;
	}
	throw new DemoError(
		`These tests need ${what}: there is no ${names.join(' or ')} on the PATH. ` +
			`Install it (on Debian or Ubuntu: apt-get install ${names[0]}), or set ${variable} to its path.`,
	);
}
