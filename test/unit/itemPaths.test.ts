import type { IWorkflowDataProxyData } from 'n8n-workflow';
import { itemPath } from '../../nodes/CandidateAssessment/parameters/itemPath';
import { histories } from '../support/histories.mts';
import { runProgram } from '../support/runProgram.mts';

const runs = histories(5);

it.each([
	['legacy', 4 * runs],
	['vm', runs],
])(
	'a path into the item gives what n8n gives for it, with its engine "%s"',
	async (engine, count) => {
		const program = require.resolve('./itemPaths.mts');
		const options = ['--engine', engine, '--runs', String(count)];
		expect(await runProgram(program, options)).toMatch(/^\d+ nodes, n8n asked \d+ times/m);
	},
	60_000 + 1000 * runs,
);

it('a path into the item leaves to n8n what is not an own property, or not a simple value', () => {
	const $json = { a: Object.create({ b: 1 }) as object, when: new Date(0), n: 1 };
	const data = { $json } as unknown as IWorkflowDataProxyData;
	for (const code of ['$json.a.b', '$json.when', '$json.n.trim()']) {
		expect(() => itemPath(code)?.(data)).toThrow('Not a');
	}
	expect(itemPath('$json.toString')).toBeUndefined();
});
