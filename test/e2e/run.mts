/**
 * `npm run test:e2e`: the package where people use it. Every part starts real processes on free ports
 * of this machine and clears them away; `npm run test:e2e -- <part> …` runs only those.
 */
import process from 'node:process';
import { messageOf } from '../../tools/n8n/errors.mts';
import { cross } from '../../tools/n8n/terminal.mts';
import { Checks } from '../support/checks.mts';

/** Loaded when their turn comes: not every machine has a browser or PostgreSQL. */
const PARTS: Record<string, () => Promise<{ default: (checks: Checks) => Promise<void> }>> = {
	lines: async () => await import('./versions.mts'),
	trigger: async () => await import('./trigger.mts'),
	browser: async () => await import('./browser.mts'),
	crash: async () => await import('./crash.mts'),
	queue: async () => await import('./queue.mts'),
	examples: async () => await import('./examples.mts'),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((part) => !(part in PARTS));
if (unknown.length > 0) {
	console.error(
		`No such part: ${unknown.join(', ')}. Choose from: ${Object.keys(PARTS).join(', ')}`,
	);
	process.exit(2);
}

// What was started ends when this process exits; of a signal alone it would not hear.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.once(signal, () => process.exit(1));
}

const checks = new Checks();
for (const part of asked.length > 0 ? asked : Object.keys(PARTS)) {
	console.log(`\n${part}`);
	const started = Date.now();
	try {
		const { default: run } = await PARTS[part]();
		await run(checks);
	} catch (error) {
		checks.failed++;
		console.log(`${cross} ${part} · could not go on: ${messageOf(error)}`);
	}
	console.log(`  (${Math.round((Date.now() - started) / 1000)} s)`);
}
console.log(`\n${checks.passed} passed, ${checks.failed} failed`);
process.exit(checks.failed === 0 ? 0 : 1);
