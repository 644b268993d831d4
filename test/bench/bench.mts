/**
 * `npm run bench`: compares our nodes with the alternatives a user has, in one n8n, in turns.
 *
 * The claims are ratios, not seconds. Writes docs/performance.md and its chart. `--json` prints the
 * results as JSON, `--quick` skips the largest batches and writes nothing.
 */
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { measureBatches, measureMemory } from './batches.mts';
import { measureOtherCalls } from './check.mts';
import { drawTimes } from './chart.mts';
import { measureDeliveries } from './deliveries.mts';
import { withBenchEnvironment } from './environment.mts';
import { goalsOf, renderReport, type Results } from './report.mts';
import { measureRemembered } from './remembered.mts';
import { measureRateLimits } from './rateLimit.mts';
import { measurePackageSize } from './packageSize.mts';

const { values } = parseArgs({
	options: {
		json: { type: 'boolean', default: false },
		quick: { type: 'boolean', default: false },
	},
});
const VERSION = '2.41';
const DOCS = join(import.meta.dirname, '..', '..', 'docs');
/** Standard output is for the results. */
const log = (text: string) => console.error(text);

const started = Date.now();
const sizes = values.quick ? [100, 1000] : [100, 1000, 10_000];
const results: Results = await withBenchEnvironment(VERSION, async (environment) => ({
	date: new Date().toISOString().slice(0, 10),
	n8n: environment.client.version,
	node: process.version,
	machine: `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
	batches: await measureBatches(environment, sizes, log),
	remembered: await measureRemembered(environment, log),
	otherCalls: await measureOtherCalls(environment, log),
	rateLimits: await measureRateLimits(environment, log),
	deliveries: await measureDeliveries(environment, values.quick ? 100 : 200, log),
	memory: [],
	packageSize: await measurePackageSize(),
	minutes: 0,
}));
if (!values.quick) results.memory = await measureMemory(VERSION, 10_000, log);
results.minutes = (Date.now() - started) / 60_000;

if (values.json) console.log(JSON.stringify({ ...results, goals: goalsOf(results) }, null, '\t'));
else console.log(await renderReport(results));
if (!values.quick) {
	writeFileSync(join(DOCS, 'performance.md'), await renderReport(results));
	writeFileSync(join(DOCS, 'images', 'performance.svg'), drawTimes(results.batches));
}
process.exit(0);
