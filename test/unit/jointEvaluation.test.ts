import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import {
	jointEvaluation,
	type ExpressionContext,
} from '../../nodes/CandidateAssessment/parameters/jointEvaluation';

const run = promisify(execFile);

describe('Expressions that are evaluated together', () => {
	it.each([
		['legacy', 200],
		['vm', 40],
	])(
		'give what n8n gives for each of them alone, with its engine "%s"',
		async (engine, runs) => {
			const program = require.resolve('./jointExpressions.mts');
			const { stdout } = await run(process.execPath, [
				program,
				'--engine',
				engine,
				'--runs',
				`${runs}`,
			]);
			expect(stdout).toMatch(/^\d+ nodes, \d+ joint evaluations$/m);
		},
		60_000,
	);
});
