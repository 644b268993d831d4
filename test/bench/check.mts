import { ACTION, withCredential } from '../../demo/workflows/parts.mts';
import { itemsWorkflow, START } from '../support/workflows.mts';
import { withBenchEnvironment } from './environment.mts';
import { median } from './stats.mts';

/**
 * What the check of a list takes in a real n8n, with the expressions of an item evaluated together
 * and one by one, in turns: `node test/bench/check.mts 2.41 1000`. The last item is wrong, so that
 * nothing is sent, and the node's time is the time of the check.
 */
const [version = '2.41', count = '1000', runs = '5'] = process.argv.slice(2);
const NODE = 'Invite';

/** In parentheses an expression means the same, but is not joined. */
const FORMS = {
	together: (code: string) => `={{ ${code} }}`,
	'one by one': (code: string) => `={{ (${code}) }}`,
};

await withBenchEnvironment(version, async ({ client, credential }) => {
	const workflows = new Map<string, string>();
	for (const [form, expression] of Object.entries(FORMS)) {
		const items = `Array.from({ length: ${count} }, (_, i) => ({ ref: 'APP-' + i, email: i === ${count} - 1 ? 'wrong' : 'nathan' + i + '@example.com', first: 'Nathan', last: 'Smith' }))`;
		const { id } = await client.createWorkflow(
			itemsWorkflow(`Check, ${form}`, items, {
				id: 'invite',
				name: NODE,
				type: ACTION,
				typeVersion: 1,
				position: [400, 0],
				parameters: {
					resource: 'candidate',
					operation: 'invite',
					jobId: '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c',
					isAnonymousCandidate: false,
					extReferenceId: expression('$json.ref'),
					email: expression('$json.email'),
					firstName: expression('$json.first'),
					lastName: expression('$json.last'),
				},
				credentials: withCredential(credential),
			}),
		);
		workflows.set(form, id);
	}
	const times = new Map<string, number[]>();
	// The first run of each warms n8n up.
	for (let run = 0; run <= Number(runs); run++) {
		for (const [form, id] of workflows) {
			const execution = await client.waitForExecution(await client.run(id, START), 300_000, 200);
			const [done] = execution.data.resultData.runData[NODE] ?? [];
			if (!done || execution.status !== 'error') throw new Error(`The check did not fail: ${form}`);
			if (run > 0) times.set(form, [...(times.get(form) ?? []), done.executionTime]);
		}
	}
	for (const [form, measured] of times) {
		console.log(
			`n8n ${version}, ${count} items, ${form}: ${median(measured)} ms (${measured.join(', ')})`,
		);
	}
});
