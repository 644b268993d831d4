import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { step } from '../n8n/terminal.mts';

interface Analysis {
	passed: boolean;
	message?: string;
	details?: string;
}

// A variable keeps TypeScript from looking up the module, which has no types.
const scanner: string = '@n8n/scan-community-package/scanner/scanner.mjs';

export const ROOT = join(import.meta.dirname, '..', '..');

/** Builds the package and packs it into the folder; returns the tarball's path. */
export function pack(folder: string): string {
	const options = ['pack', '--silent', '--pack-destination', folder];
	const output = execFileSync('npm', options, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] });
	// The build prints to the same output, before the name of the tarball.
	return join(folder, output.toString().trim().split('\n').at(-1)!);
}

/**
 * n8n's official scanner, as it runs on every published package: over the sources (package.json,
 * nodes/, credentials/) and over a tarball's files. It ignores inline disables. Throws at the first
 * finding.
 */
export async function officialScan(tarball: string): Promise<void> {
	const { analyzePackage, SOURCE_FILE_PATTERNS } = (await import(scanner)) as {
		analyzePackage(folder: string, patterns: string[]): Promise<Analysis>;
		SOURCE_FILE_PATTERNS: string[];
	};
	const scan = async (folder: string, patterns: string[]) => {
		const { passed, message, details } = await analyzePackage(folder, patterns);
		if (!passed) throw new Error(`${message}\n${details}`);
	};
	const unpacked = mkdtempSync(join(tmpdir(), 'candidate-assessment-scan-'));
	try {
		execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', unpacked]);
		await step('scan · the sources pass', async () => await scan(ROOT, SOURCE_FILE_PATTERNS));
		await step(
			'scan · the tarball passes',
			async () => await scan(unpacked, ['**/*.js', 'package.json']),
		);
		await step('scan · the tarball holds nothing but what is published', async () => {
			const held = ['.', 'dist'].map((name) => readdirSync(join(unpacked, name)).sort().join(', '));
			const expected = ['LICENSE, README.md, dist, package.json', 'credentials, icons, nodes'];
			if (held.join() !== expected.join()) throw new Error(`It holds ${held.join(', ')}`);
		});
	} finally {
		rmSync(unpacked, { recursive: true });
	}
}
