import { join } from 'node:path';

import type { Check } from '../../support/checks.mts';
import { runProgram } from '../../support/runProgram.mts';
import type { Installation } from '../../../tools/n8n/install.mts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'unit', 'jointExpressions.mts');

/** Expressions that are evaluated together give what this n8n's own packages give for each of them. */
export async function checkExpressions(
	check: Check,
	{ version, folder }: Installation,
): Promise<void> {
	// n8n 2.x evaluates in isolates, n8n 1.x in its own process.
	const engine = version.startsWith('1.') ? 'legacy' : 'vm';
	await check('expressions give the same together as one by one', async () => {
		await runProgram(PROGRAM, ['--n8n', folder, '--engine', engine, '--runs', '200']);
	});
}
