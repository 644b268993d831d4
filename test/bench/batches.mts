import { itemsWorkflow, ACTION_NODE, START } from '../e2e/support/workflows.mts';
import { compare, nodeOf, type BenchEnvironment, type Contender } from './contenders.mts';

interface Batch {
	items: number;
	/** How long the service takes to respond, in milliseconds. */
	latency: number;
	/** Applications that our node remembers at first. */
	remembered: number;
}

/** A full memory, as workflows have in the long run. */
const FULL = 20_000;
const HALF = 10_000;
/** The largest batch with which memories are filled. */
const FILLING = 10_000;

const withLatencies = (
	latencies: number[],
	items: number,
	remembered: number,
	others: Contender[],
	times = 3,
) => latencies.map((latency) => ({ batch: { items, latency, remembered }, others, times }));

const PLANS = [
	...withLatencies([0, 20, 100], 100, FULL, ['httpRequest', 'httpRequestPlain']),
	...withLatencies([0, 20, 100], 1000, FULL, ['httpRequest', 'httpRequestPlain']),
	...withLatencies([0, 20], 1000, 0, ['httpRequest']),
	...withLatencies([0, 20], 1000, HALF, ['httpRequest']),
	// With a credential, HTTP Request would take minutes.
	...withLatencies([0, 100], 10_000, FULL, ['httpRequestPlain'], 2),
];

export async function measureBatches(environment: BenchEnvironment): Promise<string[]> {
	// Grows n8n's own memory first, so that this counts against no contender.
	const full = await workflowThatRemembers(environment, FULL);
	const rows: string[] = [];
	for (const { batch, others, times } of PLANS) {
		const { items, latency, remembered } = batch;
		// Each run adds to what is remembered; the middle run finds the number that the batch states.
		const before = remembered - (times / 2) * items;
		const memory = remembered === HALF ? await workflowThatRemembers(environment, before) : full;
		const count = (value: number) => value.toLocaleString('en');
		const memorized = remembered === FULL ? '' : `, ${count(remembered)} remembered`;
		const work = `${count(items)} items, ${latency} ms${memorized}`;
		const run = async (contender: Contender) =>
			await runBatch(environment, contender, batch, memory);
		rows.push(...(await compare(work, ['ours', ...others], times, run)));
	}
	return rows;
}

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

/**
 * @param memory a workflow whose node remembers what the batch states, if any
 * @returns the node's time, in seconds
 */
async function runBatch(
	environment: BenchEnvironment,
	contender: Contender,
	{ items, latency, remembered }: Batch,
	memory: string,
): Promise<number> {
	const { service, client } = environment;
	service.clearRequests();
	if (latency > 0) service.faults.inject({ route: '*', delayMs: latency, every: 1 });
	const node = nodeOf(environment, contender);
	const workflow = itemsWorkflow('Measured', candidates(items), node);
	let id = memory;
	if (contender === 'ours' && remembered > 0) {
		// A node's memory belongs to its workflow, so the workflow stays and its nodes change.
		const { versionId } = await client.getWorkflow(memory);
		await client.request('PATCH', `/rest/workflows/${memory}`, { ...workflow, versionId });
	} else ({ id } = await client.createWorkflow(workflow));
	const taken = await nodeTime(environment, id);
	service.faults.clear();
	const created = service.requests.filter(({ status }) => status === 200).length;
	if (created !== items) throw new Error(`${contender} created ${created} of ${items}`);
	return taken;
}

/** Runs a workflow. Returns its node's seconds as n8n recorded them, without the nodes before it. */
async function nodeTime({ client }: BenchEnvironment, workflowId: string): Promise<number> {
	const id = await client.run(workflowId, START);
	const { status, data } = await client.waitForExecution(id, 300_000, 500);
	const [run] = data.resultData.runData[ACTION_NODE] ?? [];
	if (status !== 'success' || !run) {
		throw new Error(`The execution ended as ${status}: ${data.resultData.error?.message}`);
	}
	return run.executionTime / 1000;
}
