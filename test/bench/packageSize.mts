import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { median } from './stats.mts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const COLD_STARTS = 5;

export interface PackageSize {
	/** In bytes. */
	tarball: number;
	unpacked: number;
	/** Milliseconds to require the built nodes in a new process that has loaded n8n-workflow and luxon. */
	requireTime: number;
}

export async function measurePackageSize(): Promise<PackageSize> {
	await run('npm', ['run', 'build'], { cwd: ROOT });
	const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: ROOT });
	const [{ size, unpackedSize }] = JSON.parse(stdout) as [{ size: number; unpackedSize: number }];
	const times: number[] = [];
	for (let start = 0; start < COLD_STARTS; start++) times.push(await requireTime());
	return { tarball: size, unpacked: unpackedSize, requireTime: median(times) };
}

async function requireTime(): Promise<number> {
	const nodes = ['CandidateAssessment', 'CandidateAssessmentTrigger'].map((name) =>
		JSON.stringify(join(ROOT, `dist/nodes/CandidateAssessment/${name}.node.js`)),
	);
	const script = `require('n8n-workflow'); require('luxon');
		const started = performance.now();
		${nodes.map((node) => `require(${node});`).join(' ')}
		console.log(performance.now() - started);`;
	const { stdout } = await run(process.execPath, ['--eval', script], { cwd: ROOT });
	return Number(stdout);
}
