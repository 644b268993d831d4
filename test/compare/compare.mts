/**
 * `npm run compare -- COMMIT [OTHER]`: shows what users would see differently in today's package, or in the other
 * commit's, than in that commit's. Both are built and run through observe.mts, on n8n-core against the mock service.
 * This is no test: people judge the differences.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { execa } from 'execa';
import type { Case } from './observe.mts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Details that may vary between differences of the same kind. */
const EXAMPLE = /\\*"(?:[^"\\]|\\+[^"])*\\*"|<.*?>|APP-\w*|\d+/g;

const [commit, other] = process.argv.slice(2);
if (!commit) throw new Error('Usage: npm run compare -- COMMIT [OTHER]');
report(...(await Promise.all([observe(commit), observe(other)])));

/** Builds a commit, or the working tree, and observes it with today's observe.mts. */
async function observe(revision?: string): Promise<Case[]> {
	const folder = revision ? await checkOut(revision) : ROOT;
	const isBuilt = revision && existsSync(join(folder, 'dist'));
	if (!isBuilt) await execa('npm', ['run', 'build'], { cwd: folder });
	const file = join(ROOT, '.data', 'compare', `${revision?.replaceAll('/', '-') ?? 'today'}.json`);
	const options = ['--rootDir', folder, '--testMatch', '**/test/compare/observe.mts'];
	await execa('jest', ['--config', join(ROOT, 'jest.config.js'), ...options], {
		...{ cwd: folder, preferLocal: true, localDir: ROOT, env: { COMPARE: file } },
		...{ stdout: 'ignore', stderr: 'pipe' },
	});
	return JSON.parse(readFileSync(file, 'utf8')) as Case[];
}

/** Checks the commit out into its own folder, with today's tests. It finds the checkout's modules. */
async function checkOut(revision: string): Promise<string> {
	const { stdout: hash } = await execa('git', ['rev-parse', `${revision}^{commit}`], { cwd: ROOT });
	const folder = join(ROOT, '.data', 'compare', hash);
	if (!existsSync(folder)) {
		mkdirSync(folder, { recursive: true });
		await execa('git', ['archive', hash], { cwd: ROOT }).pipe('tar', ['-x', '-C', folder]);
	}
	for (const name of ['test', 'mock-service']) {
		rmSync(join(folder, name), { recursive: true });
		cpSync(join(ROOT, name), join(folder, name), { recursive: true });
	}
	return folder;
}

/** Reports one example of each kind of difference, and how many there are. */
function report(before: readonly Case[], after: readonly Case[]): void {
	const kinds = new Map<string, { text: string; groups: string[] }>();
	for (const [index, { group, steps }] of before.entries()) {
		for (const { number, aspect, values } of firstDifferences(steps, after[index].steps)) {
			const words = values.map((value) => value.replace(EXAMPLE, '#').slice(0, 80));
			const kind = [group.split(' ')[0], aspect, ...words].join('\n');
			const all = steps.slice(0, number + 1).map(({ what }) => what);
			const [one, another] = around(values);
			const text = `${aspect}\n  ${group}: ${all.join('\n    ')}\n  - ${one}\n  + ${another}`;
			const found = kinds.get(kind) ?? { text, groups: [] };
			found.groups.push(group);
			kinds.set(kind, found);
		}
	}
	for (const { text, groups } of kinds.values()) {
		console.log(`\n${groups.length}× in ${[...new Set(groups)].join(', ')}: ${text}`);
	}
	console.log(kinds.size === 0 ? 'No difference' : `\n${kinds.size} kinds of differences`);
}

/** The first step of a history that differs in each aspect. */
function firstDifferences(before: Case['steps'], after: Case['steps']) {
	return Object.keys(before[0].seen).flatMap((aspect) => {
		const pairs = before.map(({ seen }, number) =>
			differences(seen[aspect], after[number].seen[aspect]),
		);
		const number = pairs.findIndex(({ length }) => length > 0);
		return (pairs[number] ?? []).map((values) => ({ number, aspect, values }));
	});
}

/** Lines that only one side has, side by side. Their position doesn't matter. */
function differences(before: string[], after: string[]): string[][] {
	const removed = before.filter((line) => !after.includes(line));
	const added = after.filter((line) => !before.includes(line));
	const longer = removed.length > added.length ? removed : added;
	return longer.map((_, index) => [removed, added].map((lines) => lines[index] ?? '(nothing)'));
}

/** The differing parts of two texts, with a little context, up to 300 characters. */
function around([one, another]: string[]): string[] {
	let same = 0;
	while (one[same] !== undefined && one[same] === another[same]) same++;
	const start = Math.max(0, same - 80);
	return [one, another].map((text) => (start ? '…' : '') + text.slice(start, start + 300));
}
