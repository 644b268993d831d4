/** `npm run scan`: n8n's official scanner, over the sources and over a new tarball. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { Checks } from './support/checks.mts';
import { officialScan, pack } from './support/officialScan.mts';

const folder = mkdtempSync(join(tmpdir(), 'candidate-assessment-pack-'));
const checks = new Checks();
try {
	await officialScan(checks, pack(folder));
} finally {
	rmSync(folder, { recursive: true });
}
process.exit(checks.failed === 0 ? 0 : 1);
