import { filesLike, read } from '../support/documents.mts';

const files = filesLike('.github/workflows/*.yml');
const PUBLISH = '.github/workflows/publish.yml';

// Rules that the workflows' linter doesn't check.
it.each(files)('%s may write nothing, except that publishing gets an identity', (file) => {
	const rights = read(file).match(/[\w-]+: write(-all)?$/gm) ?? [];
	expect(rights).toEqual(file === PUBLISH ? ['id-token: write'] : []);
	// Without these, GitHub's default applies to the whole file.
	expect(read(file)).toMatch(/^permissions:/m);
});

it.each(files)('%s pins every action to a commit, and leaves no token in a checkout', (file) => {
	const actions = read(file).match(/uses: .*/g) ?? [];
	const isPinned = /^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
	expect(actions.filter((action) => !isPinned.test(action))).toEqual([]);
	const checkouts = actions.filter((action) => action.includes('actions/checkout@'));
	expect(read(file).match(/persist-credentials: false/g) ?? []).toHaveLength(checkouts.length);
});

it.each(files)('%s ends each job by itself, and runs only scripts that there are', (file) => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
	const called = [...read(file).matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!);
	expect(called.filter((name) => !(name in scripts))).toEqual([]);
	const jobs = read(file).match(/runs-on:/g);
	expect(read(file).match(/timeout-minutes:/g)).toHaveLength(jobs!.length);
});

it('a release uses no cache, which another run could have written', () => {
	const setups = read(PUBLISH).match(/actions\/setup-node@/g)!;
	expect(read(PUBLISH).match(/package-manager-cache: false/g)).toHaveLength(setups.length);
	expect(read(PUBLISH)).not.toContain('actions/cache');
});

it('the job that may publish installs nothing, and stages the file that was tried', () => {
	const publishing = read(PUBLISH).split(/^ {2}publish:$/m)[1]!;
	expect(publishing).toMatch(/^ {4}environment: npm$/m);
	expect(publishing).not.toMatch(/npm (ci|install|run)|actions\/checkout/);
	expect(publishing).toContain('sha256sum --check');
});
