/**
 * `npm run bench`: measures our nodes and the alternatives that users have, in turns in one n8n. Prints one table and
 * writes it to docs/performance.md. With `--quick` it skips what takes longest, and writes nothing.
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
import { renderReport, type Measurement } from './report.mts';

const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values;
const VERSION = '2.x';
const ROOT = join(import.meta.dirname, '..', '..');

const started = Date.now();
let n8nVersion = '';
const measurements: Measurement[] = [];
await withBenchEnvironment(VERSION, async (environment) => {
	n8nVersion = environment.client.version;
	measurements.push(
		...(await measureBatches(environment, quick)),
		await measureOtherCalls(environment),
		...(await measureDeliveries(environment, quick ? 100 : 200)),
	);
});
if (!quick) measurements.push(await measureMemory(VERSION, 10_000));
measurements.push(measureTarball());

const report = await renderReport(measurements, {
	date: new Date().toISOString().slice(0, 10),
	versions: `n8n ${n8nVersion}, Node.js ${process.version}`,
	machine: `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
	minutes: (Date.now() - started) / 60_000,
});
console.log(report);
if (!quick) writeFileSync(join(ROOT, 'docs', 'performance.md'), report);
process.exit(0);

function measureTarball(): Measurement {
	execFileSync('npm', ['run', 'build'], { cwd: ROOT, stdio: 'ignore' });
	const options = ['pack', '--dry-run', '--json', '--ignore-scripts'];
	const [{ size }] = JSON.parse(execFileSync('npm', options, { cwd: ROOT }).toString());
	return { work: 'Size of the tarball', ours: { value: size / 1000, unit: 'kB' } };
}
