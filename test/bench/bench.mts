/**
 * `npm run bench`: compares our nodes with the alternatives a user has, in one n8n, in turns.
 *
 * The claims are ratios, not seconds. Writes docs/performance.md. `--json` prints the results as JSON,
 * `--quick` skips the largest batches and writes nothing.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { measureBatches, measureMemory } from './batches.mts';
import { measureOtherCalls } from './check.mts';
import { measureDeliveries } from './deliveries.mts';
import { withBenchEnvironment } from './environment.mts';
import { goalsOf, renderReport, type Results } from './report.mts';

const { values } = parseArgs({
	options: {
		json: { type: 'boolean', default: false },
		quick: { type: 'boolean', default: false },
	},
});
const VERSION = '2.x';
const ROOT = join(import.meta.dirname, '..', '..');

const started = Date.now();
const results: Results = await withBenchEnvironment(VERSION, async (environment) => ({
	date: new Date().toISOString().slice(0, 10),
	n8n: environment.client.version,
	node: process.version,
	machine: `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
	batches: await measureBatches(environment, values.quick),
	otherCalls: await measureOtherCalls(environment),
	deliveries: await measureDeliveries(environment, values.quick ? 100 : 200),
	memory: [],
	packageSize: measurePackageSize(),
	minutes: 0,
}));
if (!values.quick) results.memory = await measureMemory(VERSION, 10_000);
results.minutes = (Date.now() - started) / 60_000;

const report = await renderReport(results);
console.log(
	values.json ? JSON.stringify({ ...results, goals: goalsOf(results) }, null, '\t') : report,
);
if (!values.quick) writeFileSync(join(ROOT, 'docs', 'performance.md'), report);
process.exit(0);

/** In bytes. */
function measurePackageSize(): Results['packageSize'] {
	execFileSync('npm', ['run', 'build'], { cwd: ROOT, stdio: 'ignore' });
	const packed = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: ROOT });
	const [{ size, unpackedSize }] = JSON.parse(packed.toString());
	return { tarball: size, unpacked: unpackedSize };
}
