/** `npm run scan`: runs n8n's official scanner over the sources and a new tarball. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { step } from '../n8n/terminal.mts';
import { officialScan, pack } from './officialScan.mts';

const folder = mkdtempSync(join(tmpdir(), 'candidate-assessment-pack-'));
try {
	await officialScan(await step('scan · the package is packed', async () => pack(folder)));
} catch {
	// The failed step has printed the reason.
	process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true });
}
