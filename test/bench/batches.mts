import { itemsWorkflow } from '../e2e/support/workflows.mts';
import { candidates, NAMES, nodeOf, type Contender } from './contenders.mts';
import { figureOf, logged, nodeTime, type BenchEnvironment } from './environment.mts';
import type { Measurement } from './report.mts';

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

/** A typical list. */
const USUAL = { items: 1000, latency: 0, remembered: FULL };

interface Plan extends Partial<Batch> {
	/** Defaults to three. */
	times?: number;
	/** The nodes that ours is compared with. */
	others: Array<Exclude<Contender, 'ours'>>;
}

const BOTH: Plan['others'] = ['httpRequest', 'httpRequestPlain'];

const withLatencies = (latencies: number[], plan: Plan): Plan[] =>
	latencies.map((latency) => ({ ...plan, latency }));

/** The batches to measure. Properties left out come from the usual list. */
const PLANS = [
	...withLatencies([0, 20, 100], { items: 100, others: BOTH }),
	...withLatencies([0, 20, 100], { items: 1000, others: BOTH }),
	...withLatencies([0, 20], { remembered: 0, others: ['httpRequest'] }),
	...withLatencies([0, 20], { remembered: HALF, others: ['httpRequest'] }),
	// With a credential, HTTP Request would take minutes.
	...withLatencies([0, 100], { items: 10_000, times: 2, others: ['httpRequestPlain'] }),
];

/** Runs the contenders in turn (A B C A B C), so that other load on the machine affects all of them. */
export async function measureBatches(environment: BenchEnvironment): Promise<Measurement[]> {
	// Grows n8n's own memory first, so that this counts against no contender.
	const full = await workflowThatRemembers(environment, FULL);
	const measurements: Measurement[] = [];
	for (const { times = 3, others, ...plan } of PLANS) {
		const batch = { ...USUAL, ...plan };
		// Each run adds to what is remembered; the middle run finds the number that the batch states.
		const before = batch.remembered - (times / 2) * batch.items;
		const memory =
			batch.remembered === HALF ? await workflowThatRemembers(environment, before) : full;
		const runs = new Map<Contender, number[]>(
			(['ours', ...others] as const).map((contender) => [contender, [] as number[]]),
		);
		for (let run = 0; run < times; run++) {
			for (const [contender, taken] of runs) {
				taken.push(await runBatch(environment, contender, batch, memory));
			}
		}
		const figure = (contender: Contender) => figureOf(runs.get(contender)!);
		for (const other of others) {
			const comparedWith = { name: NAMES[other], figure: figure(other) };
			measurements.push(logged({ work: describe(batch), ours: figure('ours'), comparedWith }));
		}
	}
	return measurements;
}

function describe({ items, latency, remembered }: Batch): string {
	const count = (value: number) => value.toLocaleString('en');
	return [
		`${count(items)} items, ${latency} ms`,
		...(remembered === FULL ? [] : [`${count(remembered)} remembered`]),
	].join(', ');
}

/** Returns the ID of a workflow whose node has sent this many invitations. */
async function workflowThatRemembers(
	environment: BenchEnvironment,
	remembered: number,
): Promise<string> {
	const items = Math.min(remembered, FILLING);
	const workflow = itemsWorkflow('Filling', candidates(items), nodeOf(environment, 'ours'));
	const { id } = await environment.client.createWorkflow(workflow);
	for (let filled = 0; filled < remembered; filled += items) {
		await nodeTime(environment.client, id);
	}
	return id;
}

/**
 * @param memory a workflow whose node remembers what the batch states, if any
 * @returns the node's time, in seconds
 */
async function runBatch(
	environment: BenchEnvironment,
	contender: Contender,
	batch: Batch,
	memory: string,
): Promise<number> {
	const { service, client } = environment;
	const { items, latency, remembered } = batch;
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
	const taken = await nodeTime(client, id);
	service.faults.clear();
	const created = service.requests.filter(({ status }) => status === 200).length;
	if (created !== items) throw new Error(`${contender} created ${created} of ${items}`);
	return taken;
}
