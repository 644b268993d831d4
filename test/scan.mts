/**
 * `npm run scan`: n8n's official scanner, as it runs on every published package: over the sources
 * (package.json, nodes/, credentials/), and over what the tarball holds. It ignores inline disables.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

interface Analysis {
	passed: boolean;
	message?: string;
	details?: string;
}

// By a name that TypeScript does not look up: the scanner has no types.
const scanner: string = '@n8n/scan-community-package/scanner/scanner.mjs';
const { analyzePackage, SOURCE_FILE_PATTERNS } = (await import(scanner)) as {
	analyzePackage(folder: string, patterns: string[]): Promise<Analysis>;
	SOURCE_FILE_PATTERNS: string[];
};

const root = join(import.meta.dirname, '..');
const unpacked = mkdtempSync(join(tmpdir(), 'candidate-assessment-scan-'));
let failed = 0;
try {
	await scan('sources', root, SOURCE_FILE_PATTERNS);
	const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', unpacked], {
		cwd: root,
	});
	execFileSync('tar', ['-xzf', packed.toString().trim(), '--strip-components=1'], {
		cwd: unpacked,
	});
	rmSync(join(unpacked, packed.toString().trim()));
	report('the tarball holds nothing but what is published', holdsOnlyWhatIsPublished());
	await scan('tarball', unpacked, ['**/*.js', 'package.json']);
} finally {
	rmSync(unpacked, { recursive: true });
}
process.exit(failed === 0 ? 0 : 1);

async function scan(what: string, folder: string, patterns: string[]): Promise<void> {
	const { passed, message, details } = await analyzePackage(folder, patterns);
	report(`official scanner, ${what}${message ? `: ${message}` : ''}`, passed);
	if (details) console.log(details);
}

function holdsOnlyWhatIsPublished(): boolean {
	return readdirSync(unpacked).sort().join() === 'LICENSE,README.md,dist,package.json';
}

function report(what: string, passed: boolean): void {
	console.log(`${passed ? '✔' : '✘'} ${what}`);
	if (!passed) failed++;
}
