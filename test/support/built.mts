import { existsSync } from 'node:fs';

// The integration tests run the built package, as n8n would.
if (expect.getState().testPath?.includes('/integration/') && !existsSync('dist')) {
	throw new Error('Run `npm run build` first: this test runs the built package.');
}
