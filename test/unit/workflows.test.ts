import { parse } from 'yaml';

import { filesLike, read } from '../support/documents.mts';

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	steps: Step[];
	permissions?: Record<string, string> | string;
	environment?: string;
	'timeout-minutes'?: number;
}

interface Workflow {
	permissions?: Record<string, string> | string;
	jobs: Record<string, Job>;
}

const workflowIn = (file: string): Workflow => parse(read(file));
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);

const files = filesLike('.github/workflows/*.yml');
const PUBLISH = '.github/workflows/publish.yml';

// Rules that the workflows' linter doesn't check.
it.each(files)('%s may write nothing, except that publishing gets an identity', (file) => {
	const { permissions, jobs } = workflowIn(file);
	// Without these, GitHub's default applies to the whole file.
	expect(permissions).toBeDefined();
	const rights = [permissions, ...Object.values(jobs).map((job) => job.permissions ?? {})];
	const written = rights.flatMap((each) =>
		typeof each === 'string' ? each : Object.entries(each!).map((right) => right.join(': ')),
	);
	const expected = file === PUBLISH ? ['id-token: write'] : [];
	expect(written.filter((right) => /write/.test(right))).toEqual(expected);
});

it.each(files)('%s pins every action to a commit, and leaves no token in a checkout', (file) => {
	// The version stands in a comment.
	const actions = read(file).match(/uses: .*/g) ?? [];
	const isPinned = /^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
	expect(actions.filter((action) => !isPinned.test(action))).toEqual([]);
	for (const { uses, with: given } of stepsOf(workflowIn(file)))
		if (uses?.startsWith('actions/checkout@')) expect(given?.['persist-credentials']).toBe(false);
});

it.each(files)('%s ends each job by itself, and runs only scripts that there are', (file) => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
	const workflow = workflowIn(file);
	for (const { run = '' } of stepsOf(workflow))
		for (const [, name] of run.matchAll(/npm run ([\w:]+)/g))
			expect(scripts).toHaveProperty([name!]);
	for (const job of Object.values(workflow.jobs))
		expect(job['timeout-minutes']).toEqual(expect.any(Number));
});

it('a release uses no cache, which another run could have written', () => {
	const steps = stepsOf(workflowIn(PUBLISH));
	const setups = steps.filter(({ uses }) => uses?.startsWith('actions/setup-node@'));
	expect(setups).not.toEqual([]);
	for (const setup of setups) expect(setup.with?.['package-manager-cache']).toBe(false);
	expect(steps.filter(({ uses }) => uses?.startsWith('actions/cache'))).toEqual([]);
});

it('the job that may publish installs nothing, and stages the file that was tried', () => {
	const { environment, steps } = workflowIn(PUBLISH).jobs.publish!;
	expect(environment).toBe('npm');
	const done = steps.map(({ uses, run }) => `${uses} ${run}`).join('\n');
	expect(done).not.toMatch(/npm (ci|install|run)|actions\/checkout/);
	expect(done).toContain('sha256sum --check');
});
