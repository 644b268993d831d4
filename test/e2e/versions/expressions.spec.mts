import { join } from 'node:path';

import { runProgram } from '../../support/runProgram.mts';
import { test } from '../fixtures.mts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'unit', 'itemPaths.mts');

test('paths into the item give what n8n gives for them', async ({ environment, version }) => {
	// n8n 2.x evaluates in isolates, n8n 1.x in its own process.
	const engine = version.startsWith('1.') ? 'legacy' : 'vm';
	const { folder } = environment.installation;
	await runProgram(PROGRAM, ['--n8n', folder, '--engine', engine, '--runs', '60']);
});
