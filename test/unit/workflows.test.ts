import { parse } from 'yaml';

import { filesLike, read } from '../support/documents.mts';

interface Job {
	permissions?: Record<string, string>;
	environment?: string;
	needs?: string;
	'timeout-minutes'?: number;
	steps: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}

interface Workflow {
	permissions: Record<string, string>;
	jobs: Record<string, Job>;
}

const files = filesLike('.github/workflows/*.yml');
const workflowIn = (file: string) => parse(read(file)) as Workflow;
const jobsIn = (file: string) => Object.values(workflowIn(file).jobs);
const stepsIn = (file: string) => jobsIn(file).flatMap(({ steps }) => steps);
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe('The workflows', () => {
	it.each(files)('%s may write nothing, except that publishing gets an identity', (file) => {
		const rights = [workflowIn(file), ...jobsIn(file)].flatMap(({ permissions }) =>
			Object.entries(permissions ?? {}).map(([scope, right]) => `${scope}: ${right}`),
		);
		const allowed = [
			'contents: read',
			...(file.endsWith('publish.yml') ? ['id-token: write'] : []),
		];
		expect(workflowIn(file).permissions).toBeDefined();
		expect(rights.filter((right) => !allowed.includes(right))).toEqual([]);
	});

	it.each(files)('%s pins every action to a commit, and says which version that is', (file) => {
		const uses = read(file).match(/uses: .*/g) ?? [];
		expect(uses).toHaveLength(stepsIn(file).filter((step) => step.uses).length);
		for (const use of uses) {
			expect(use).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
		}
	});

	it.each(files)('%s ends by itself, and keeps no token in the checkout', (file) => {
		for (const job of jobsIn(file)) expect(job['timeout-minutes']).toBeGreaterThan(0);
		for (const step of stepsIn(file).filter(({ uses }) => uses?.startsWith('actions/checkout@'))) {
			expect(step.with?.['persist-credentials']).toBe(false);
		}
	});

	it('run only scripts that the package has', () => {
		const runs = files.flatMap(stepsIn).map(({ run }) => run ?? '');
		const called = runs.flatMap((run) =>
			[...run.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name),
		);
		expect(called.length).toBeGreaterThan(5);
		expect(called.filter((name) => !(name! in scripts))).toEqual([]);
	});
});

describe('Publishing', () => {
	const { pack, publish } = workflowIn('.github/workflows/publish.yml').jobs as {
		pack: Job;
		publish: Job;
	};

	it('stages the tried file in a protected environment, where nothing is checked out or installed', () => {
		expect(pack.permissions).toEqual({ contents: 'read' });
		expect(publish).toMatchObject({
			needs: 'pack',
			environment: 'npm',
			permissions: { 'id-token': 'write' },
		});
		expect(publish.steps.map(({ uses }) => uses?.split('@')[0])).toEqual([
			'actions/download-artifact',
			undefined,
			'actions/setup-node',
			undefined,
		]);
		const [check, stage] = publish.steps.flatMap(({ run }) => run ?? []);
		expect(check).toContain('sha256sum --check');
		expect(stage).toBe('npm stage publish ./*.tgz --provenance');
	});

	it('uses no cache, which another run could have written', () => {
		const setups = [...pack.steps, ...publish.steps].filter(({ uses }) =>
			uses?.startsWith('actions/setup-node@'),
		);
		expect(setups).toHaveLength(2);
		for (const setup of setups) expect(setup.with?.['package-manager-cache']).toBe(false);
		expect(read('.github/workflows/publish.yml')).not.toContain('actions/cache');
	});
});
