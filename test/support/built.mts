import { globSync, statSync } from 'node:fs';

// The integration tests run the built package, as n8n would.
if (expect.getState().testPath?.includes('/integration/')) {
	const newest = (pattern: string) =>
		Math.max(...globSync(pattern).map((file) => statSync(file).mtimeMs));
	if (newest('dist/**/*.js') < newest('{nodes,credentials}/**/*.ts')) {
		throw new Error('Run `npm run build` first: this test runs the built package.');
	}
}
