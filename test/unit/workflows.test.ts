import { parse } from 'yaml';

import { filesLike, read } from '../support/documents.mts';

type Rights = Record<string, string> | string;

interface Job {
	steps: Array<{ uses?: string; run?: string; with?: Record<string, unknown> }>;
	permissions?: Rights;
	environment?: string;
	'timeout-minutes'?: number;
}

const workflowIn = (file: string): { permissions?: Rights; jobs: Record<string, Job> } =>
	parse(read(file));
const jobsIn = (file: string) => Object.values(workflowIn(file).jobs);
const stepsIn = (file: string) => jobsIn(file).flatMap(({ steps }) => steps);

const files = filesLike('.github/workflows/*.yml');
const PUBLISH = '.github/workflows/publish.yml';

// Rules that the workflows' linter doesn't check.
it.each(files)('%s may write nothing, except that publishing gets an identity', (file) => {
	const { permissions } = workflowIn(file);
	// Without these, GitHub's default applies to the whole file.
	expect(permissions).toBeDefined();
	const rights = [permissions, ...jobsIn(file).map((job) => job.permissions)];
	const written = JSON.stringify(rights).match(/"[\w-]+":"write|write-\w+/g) ?? [];
	expect(written).toEqual(file === PUBLISH ? ['"id-token":"write'] : []);
});

it.each(files)('%s pins every action to a commit, and leaves no token in a checkout', (file) => {
	// The version stands in a comment.
	const actions = read(file).match(/uses: .*/g) ?? [];
	const isPinned = /^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
	expect(actions.filter((action) => !isPinned.test(action))).toEqual([]);
	for (const { uses, with: given } of stepsIn(file))
		if (uses?.startsWith('actions/checkout@')) expect(given?.['persist-credentials']).toBe(false);
});

it.each(files)('%s ends each job by itself', (file) => {
	for (const job of jobsIn(file)) expect(job['timeout-minutes']).toEqual(expect.any(Number));
});

it('a release uses no cache, which another run could have written', () => {
	const steps = stepsIn(PUBLISH);
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
