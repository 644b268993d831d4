import { readFileSync, writeFileSync } from 'node:fs';

import type { WorkflowNode } from '../../tools/n8n/client.mts';
import { ITEMS_NODE, itemsParameters } from '../support/workflows.mts';
import {
	batchWorkflow,
	candidates,
	DEFAULT_CONCURRENCY,
	LIST_EXPRESSIONS,
	NODE,
	nodeOf,
	type Contender,
	type Expressions,
} from './contenders.mts';
import { median, nodeTime, spread, withBenchEnvironment } from './environment.mts';
import type { BenchEnvironment } from './environment.mts';
import { fetchBaseline } from './fetchBaseline.mts';

interface BatchKind {
	items: number;
	/** How long the service takes to respond. Times are in milliseconds. */
	latency: number;
	/** Maximum number of requests in flight, for our node and the fetch baseline. */
	concurrency: number;
	/** What fills the fields of our node. */
	expressions: Expressions;
	/** Applications that our node remembers at first. */
	remembered: number;
}

/** One kind of batch, measured for one contender. */
export interface BatchStats extends BatchKind {
	contender: Contender;
	/** Node time of each run, in order. */
	runs: number[];
	median: number;
	spread: number;
	/** The most requests that the service saw in flight at once. */
	inFlight: number;
}

/** As many as a node remembers: batches are measured with a full memory, as users have it in the long run. */
export const REMEMBERED = 20_000;
/** A memory that is half full. Each run adds to it, and the middle one finds about so many. */
export const HALF_REMEMBERED = 10_000;
/** Memories are filled in batches of this size, at most. */
const FILLING = 10_000;

/** A list as most users have it. */
export const USUAL = {
	items: 1000,
	concurrency: DEFAULT_CONCURRENCY,
	expressions: LIST_EXPRESSIONS,
	remembered: REMEMBERED,
};

/** Measured as well, to justify the default. */
export const LOW_CONCURRENCY = 10;
export const HIGH_CONCURRENCY = 50;
export const LATENCIES = [0, 20, 100];

const ALL: Contender[] = ['ours', 'httpRequest', 'httpRequestPlain', 'fetchBaseline'];
const OTHER_KINDS = [
	'four with a method',
	'three paths, one put together',
	'four put together',
] as const;

interface Plan extends Partial<BatchKind> {
	times: number;
	contenders?: Contender[];
}

/** The kinds of batches that are measured, a usual list where not said otherwise. */
function plans(isQuick: boolean): Plan[] {
	const large = isQuick ? [] : LATENCIES;
	return [
		...[100, 1000].flatMap((items) =>
			LATENCIES.map((latency) => ({ items, latency, times: latency < 100 ? 5 : 3 })),
		),
		// With a credential, HTTP Request would take minutes.
		...large.map((latency): Plan => ({
			...{ items: 10_000, latency, times: latency < 100 ? 2 : 1 },
			contenders: ['ours', 'httpRequestPlain'],
		})),
		...OTHER_KINDS.flatMap((expressions) =>
			[0, 20].map((latency): Plan => ({
				...{ latency, expressions, times: 3 },
				contenders: ['ours', 'httpRequest'],
			})),
		),
		...[0, 20].map((latency): Plan => ({
			...{ latency, remembered: HALF_REMEMBERED, times: 3 },
			contenders: ['ours', 'httpRequest'],
		})),
		{ remembered: 0, times: 5, contenders: ['ours'] },
		{ latency: 20, concurrency: LOW_CONCURRENCY, times: 2, contenders: ['ours', 'fetchBaseline'] },
		{ latency: 20, concurrency: HIGH_CONCURRENCY, times: 2, contenders: ['ours', 'fetchBaseline'] },
		{ latency: 100, concurrency: LOW_CONCURRENCY, times: 1, contenders: ['ours', 'fetchBaseline'] },
	];
}

/** Runs the contenders in turn (A B C A B C), so that other load on the machine affects all of them. */
export async function measureBatches(
	environment: BenchEnvironment,
	isQuick: boolean,
): Promise<BatchStats[]> {
	// Grows the memory of n8n, too, which should count for no contender.
	const full = await workflowThatRemembers(environment, REMEMBERED);
	const stats: BatchStats[] = [];
	for (const { times, contenders = ALL, ...plan } of plans(isQuick)) {
		const kind = { ...USUAL, latency: 0, ...plan };
		const memory =
			kind.remembered === HALF_REMEMBERED
				? await workflowThatRemembers(environment, HALF_REMEMBERED - 1.5 * kind.items)
				: full;
		const measured = contenders.map((contender) => ({
			...{ ...kind, contender, runs: [] as number[], inFlight: 0 },
		}));
		for (let run = 0; run < times; run++) {
			for (const one of measured) {
				const { took, inFlight } = await runBatch(environment, one.contender, kind, memory);
				one.runs.push(took);
				one.inFlight = Math.max(one.inFlight, inFlight);
			}
		}
		for (const one of measured) {
			stats.push({ ...one, median: median(one.runs), spread: spread(one.runs) });
			environment.log(
				`${JSON.stringify(kind)} ${one.contender}: ${median(one.runs).toFixed(0)} ms`,
			);
		}
	}
	return stats;
}

/** The ID of a workflow whose node has invited so many. */
async function workflowThatRemembers(
	environment: BenchEnvironment,
	remembered: number,
): Promise<string> {
	const items = Math.min(remembered, FILLING);
	const id = await batchWorkflow(environment, items, nodeOf(environment, 'ours'));
	for (let filled = 0; filled < remembered; filled += items) {
		await nodeTime(environment.client, id, NODE);
	}
	return id;
}

/** @param memory a workflow whose node remembers as many as are asked for */
async function runBatch(
	environment: BenchEnvironment,
	contender: Contender,
	{ items, latency, concurrency, expressions, remembered }: BatchKind,
	memory: string,
) {
	const { service, client } = environment;
	service.clearRequests();
	if (latency > 0) service.faults.inject({ route: '*', delayMs: latency, every: 1 });
	let took: number;
	if (contender === 'fetchBaseline') {
		took = await fetchBaseline(service, items, concurrency);
	} else {
		const node = nodeOf(environment, contender, concurrency, expressions);
		const isRemembering = contender === 'ours' && remembered > 0;
		if (isRemembering) await replaceNode(environment, memory, items, node);
		const workflow = isRemembering ? memory : await batchWorkflow(environment, items, node);
		took = await nodeTime(client, workflow, NODE);
	}
	service.faults.clear();
	const created = service.requests.filter(({ status }) => status === 200).length;
	if (created !== items) throw new Error(`${contender} created ${created} of ${items}`);
	return { took, inFlight: Math.max(...service.requests.map((request) => request.inFlight)) };
}

/** A node's memory belongs to its workflow, so the workflow stays and its node changes. */
async function replaceNode(
	{ client }: BenchEnvironment,
	workflowId: string,
	items: number,
	node: WorkflowNode,
): Promise<void> {
	const { nodes, ...workflow } = await client.getWorkflow(workflowId);
	await client.request('PATCH', `/rest/workflows/${workflowId}`, {
		...workflow,
		nodes: nodes.map((one) => {
			if (one.name === NODE) return node;
			if (one.name !== ITEMS_NODE) return one;
			return { ...one, parameters: itemsParameters(candidates(items)) };
		}),
	});
}

export interface MemoryStats {
	contender: Contender;
	items: number;
	/** Peak resident memory of the n8n process, in MiB. */
	peak: number;
}

/** Peak memory, each in a new n8n: what one run leaves behind would count for the next. */
export async function measureMemory(version: string, items: number): Promise<MemoryStats[]> {
	const stats: MemoryStats[] = [];
	for (const contender of ['ours', 'httpRequestPlain'] as const) {
		await withBenchEnvironment(version, async (environment) => {
			const { client, n8n, log } = environment;
			const workflow = await batchWorkflow(environment, items, nodeOf(environment, contender));
			// From now on.
			writeFileSync(`/proc/${n8n.pid}/clear_refs`, '5');
			await nodeTime(client, workflow, NODE);
			const status = readFileSync(`/proc/${n8n.pid}/status`, 'utf8');
			const peak = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
			stats.push({ contender, items, peak });
			log(`memory, ${items} items, ${contender}: ${peak.toFixed(0)} MiB`);
		});
	}
	return stats;
}
