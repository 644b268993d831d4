/**
 * `npm run compare -- COMMIT [OTHER]`: shows what users would see differently in today's package, or in the other
 * commit's, than in that commit's. Both are built and run through observe.ts, on n8n-core against the mock service.
 * This is no test: people judge the differences.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { execa } from 'execa';
import type { Case } from './observe.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** The longest quotation. */
const QUOTED = 300;
/** Details that may vary between differences of the same kind. */
const EXAMPLE = /\\*"(?:[^"\\]|\\+[^"])*\\*"|<.*?>|APP-\w*|\d+/g;

const [commit, other] = process.argv.slice(2);
if (!commit) throw new Error('Usage: npm run compare -- COMMIT [OTHER]');
report(...(await Promise.all([observe(commit), observe(other)])));

/** Builds a commit, or the working tree, and observes it with today's observe.ts. */
async function observe(revision?: string): Promise<Case[]> {
	const folder = revision ? await checkOut(revision) : ROOT;
	const isBuilt = revision && existsSync(join(folder, 'dist'));
	if (!isBuilt) await execa('npm', ['run', 'build'], { cwd: folder });
	const file = join(ROOT, '.data', 'compare', `${revision?.replaceAll('/', '-') ?? 'today'}.json`);
	const options = ['--rootDir', folder, '--testMatch', '**/test/compare/observe.ts'];
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

/** Reports the first step that differs for each history and aspect: one example per kind, with a count. */
function report(before: readonly Case[], after: readonly Case[]): void {
	const kinds = new Map<string, { text: string; count: number; groups: Set<string> }>();
	for (const [index, { group, steps }] of before.entries()) {
		const isSeen = new Set<string>();
		for (const [number, { what, seen }] of steps.entries()) {
			const others = after[index].steps[number].seen;
			const aspects = Object.keys({ ...seen, ...others }).filter((each) => !isSeen.has(each));
			const differing = aspects.flatMap((aspect) =>
				differences(seen[aspect], others[aspect]).map((values) => ({ aspect, values })),
			);
			for (const { aspect, values } of differing) {
				isSeen.add(aspect);
				const words = values.map((value) => value.replace(EXAMPLE, '#').slice(0, 80));
				const kind = [group.split(' ')[0], aspect, ...words].join('\n');
				const all = [...steps.slice(0, number).map((step) => step.what), what].join('\n    ');
				const [one, another] = around(values);
				const text = `  ${group}: ${all}\n  - ${one}\n  + ${another}`;
				const found = kinds.get(kind) ?? { text, count: 0, groups: new Set() };
				kinds.set(kind, { ...found, count: found.count + 1, groups: found.groups.add(group) });
			}
		}
	}
	for (const [kind, { text, count, groups }] of kinds) {
		console.log(`\n${count}× ${kind.split('\n')[1]} (${[...groups].join(', ')})\n${text}`);
	}
	console.log(kinds.size === 0 ? 'No difference' : `\n${kinds.size} kinds of differences`);
}

/** Lines that only one side has, side by side. Their position doesn't matter. */
function differences(...seen: Array<string | string[] | undefined>): string[][] {
	const lists = seen.map((value) => [value ?? []].flat());
	const [removed, added] = lists.map((list, index) => {
		const others = new Set(lists[1 - index]);
		return list.filter((value) => !others.has(value));
	});
	const length = Math.max(removed.length, added.length);
	return Array.from({ length }, (_, index) =>
		[removed, added].map((list) => list[index] ?? '(nothing)'),
	);
}

/** The differing parts of two texts, with a little context. */
function around([one, another]: string[]): string[] {
	let same = 0;
	while (one[same] !== undefined && one[same] === another[same]) same++;
	const start = Math.max(0, same - 80);
	return [one, another].map((text) => (start ? '…' : '') + text.slice(start, start + QUOTED));
}
