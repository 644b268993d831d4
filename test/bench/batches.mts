import { ACTION_NODE, itemsWorkflow, START } from '../e2e/support/workflows.mts';
import { compare, nodeOf, type BenchEnvironment, type Contender } from './contenders.mts';

/** A full memory, as workflows have in the long run. */
const FULL = 20_000;
const HALF = 10_000;
/** The largest batch with which memories are filled. */
const FILLING = 10_000;

/**
 * Items, how long the service takes to respond (in milliseconds), applications that our node remembers at first, runs,
 * and whom it is compared with.
 */
const BATCHES: Array<[number, number[], number, number, ...Contender[]]> = [
	[100, [0, 20, 100], FULL, 3, 'httpRequest', 'httpRequestPlain'],
	[1000, [0, 20, 100], FULL, 3, 'httpRequest', 'httpRequestPlain'],
	[1000, [0, 20], 0, 3, 'httpRequest'],
	[1000, [0, 20], HALF, 3, 'httpRequest'],
	// With a credential, HTTP Request would take minutes.
	[10_000, [0, 100], FULL, 2, 'httpRequestPlain'],
];

export async function measureBatches(environment: BenchEnvironment): Promise<string[]> {
	const { service, client } = environment;
	// Grows n8n's own memory first, so that this counts against no contender.
	const full = await workflowThatRemembers(environment, FULL);
	const rows: string[] = [];
	for (const [items, latencies, remembered, times, ...others] of BATCHES) {
		for (const latency of latencies) {
			// Each run adds to what is remembered; the middle run finds the number that the batch states.
			const before = remembered - (times / 2) * items;
			const half = remembered === HALF && (await workflowThatRemembers(environment, before));
			const run = async (contender: Contender) => {
				service.clearRequests();
				if (latency > 0) service.faults.inject({ route: '*', delayMs: latency, every: 1 });
				const node = nodeOf(environment, contender);
				const workflow = itemsWorkflow('Measured', candidates(items), node);
				let id = half || full;
				if (contender === 'ours' && remembered > 0) {
					// A node's memory belongs to its workflow, so the workflow stays and its nodes change.
					const { versionId } = await client.getWorkflow(id);
					await client.request('PATCH', `/rest/workflows/${id}`, { ...workflow, versionId });
				} else ({ id } = await client.createWorkflow(workflow));
				const taken = await nodeTime(environment, id);
				service.faults.clear();
				const created = service.requests.filter(({ status }) => status === 200).length;
				if (created !== items) throw new Error(`${contender} created ${created} of ${items}`);
				return taken;
			};
			const words = [`${count(items)} items, ${latency} ms`];
			if (remembered !== FULL) words.push(`${count(remembered)} remembered`);
			rows.push(await compare(words.join(', '), ['ours', ...others], times, run));
		}
	}
	return rows;
}

const count = (value: number) => value.toLocaleString('en');

/** An expression for a list of candidates. It differs in each run, so nobody is invited twice. */
function candidates(count: number): string {
	return `((run) => Array.from({ length: ${count} }, (_, i) => ({ ref: run + '-' + (i + 1), email: 'nathan' + i + '@example.com', first: 'Nathan', last: 'Smith ' + i })))(Date.now())`;
}

/** Returns the ID of a workflow whose node has sent this many invitations. */
async function workflowThatRemembers(
	environment: BenchEnvironment,
	remembered: number,
): Promise<string> {
	const items = Math.min(remembered, FILLING);
	const workflow = itemsWorkflow('Filling', candidates(items), nodeOf(environment, 'ours'));
	const { id } = await environment.client.createWorkflow(workflow);
	for (let filled = 0; filled < remembered; filled += items) await nodeTime(environment, id);
	return id;
}

/** Runs a workflow. Returns its node's seconds as n8n recorded them, without the nodes before it. */
export async function nodeTime({ client }: BenchEnvironment, workflowId: string): Promise<number> {
	const id = await client.run(workflowId, START);
	const { status, data } = await client.waitForExecution(id, 300_000, 500);
	const [run] = data.resultData.runData[ACTION_NODE] ?? [];
	if (status !== 'success' || !run) {
		throw new Error(`The execution ended as ${status}: ${data.resultData.error?.message}`);
	}
	return run.executionTime / 1000;
}
