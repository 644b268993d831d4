import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path of a file in a new temporary directory, with what a test needs to do with it. */
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
