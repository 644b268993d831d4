import { histories } from '../support/histories.mts';
import { runProgram } from '../support/runProgram.mts';

describe('A path into the item', () => {
	const runs = histories(20);

	it.each([
		['legacy', 2 * runs],
		['vm', runs],
	])(
		'gives what n8n gives for it, with its engine "%s"',
		async (engine, count) => {
			const program = require.resolve('./itemPaths.mts');
			const options = ['--engine', engine, '--runs', String(count)];
			expect(await runProgram(program, options)).toMatch(/^\d+ nodes, n8n asked \d+ instead of/m);
		},
		60_000 + 1000 * runs,
	);
});
