/**
 * `npm run bench`: our nodes against what a user would pick instead, in one n8n, in turns.
 *
 * Ratios are the claim, not seconds. Writes docs/performance.md and its picture; `--json` prints
 * the figures for machines, `--quick` leaves the largest batches out and writes nothing.
 */
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { measureBatches, measureMemory } from './batches.mts';
import { drawTimes } from './chart.mts';
import { measureDeliveries } from './deliveries.mts';
import { withGround } from './environment.mts';
import { goalsOf, renderPage, type Results } from './report.mts';
import { measureRateLimits } from './rateLimit.mts';
import { measureWeight } from './packageSize.mts';

const { values } = parseArgs({
	options: {
		json: { type: 'boolean', default: false },
		quick: { type: 'boolean', default: false },
	},
});
const LINE = '2.41';
const DOCS = join(import.meta.dirname, '..', '..', 'docs');
/** Standard output belongs to the figures. */
const say = (text: string) => console.error(text);

const started = Date.now();
const sizes = values.quick ? [100, 1000] : [100, 1000, 10_000];
const results: Results = await withGround(LINE, async (ground) => ({
	date: new Date().toISOString().slice(0, 10),
	n8n: ground.client.version,
	node: process.version,
	machine: `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
	batches: await measureBatches(ground, sizes, say),
	rateLimits: await measureRateLimits(ground, say),
	deliveries: await measureDeliveries(ground, values.quick ? 100 : 200, say),
	memory: [],
	weight: await measureWeight(),
	minutes: 0,
}));
if (!values.quick) results.memory = await measureMemory(LINE, 10_000, say);
results.minutes = (Date.now() - started) / 60_000;

if (values.json) console.log(JSON.stringify({ ...results, goals: goalsOf(results) }, null, '\t'));
else console.log(await renderPage(results));
if (!values.quick) {
	writeFileSync(join(DOCS, 'performance.md'), await renderPage(results));
	writeFileSync(join(DOCS, 'images', 'performance.svg'), drawTimes(results.batches));
}
process.exit(0);
