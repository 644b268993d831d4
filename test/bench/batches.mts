import { readFileSync, writeFileSync } from 'node:fs';

import type { N8nClient, WorkflowNode } from '../../tools/n8n/client.mts';
import { ACTION, CREDENTIAL, withCredential } from '../../demo/workflows/parts.mts';
import { itemsWorkflow, START } from '../support/workflows.mts';
import { fetchBaseline } from './fetchBaseline.mts';
import { median, spread } from './stats.mts';
import { withBenchEnvironment, type BenchEnvironment } from './environment.mts';

/**
 * HTTP Request runs with our credential, with n8n's Header Auth credential, and with the token in plain
 * text in the node, which is the fastest way and not recommended.
 */
export type Contender =
	'ours' | 'httpRequest' | 'httpRequestHeader' | 'httpRequestPlain' | 'fetchBaseline';

/** One kind of batch, measured for one contender. Times are in milliseconds. */
export interface BatchStats {
	contender: Contender;
	items: number;
	/** How long the service takes to respond. */
	latency: number;
	/** Maximum number of requests in flight, for our node and the fetch baseline. */
	concurrency: number;
	/** Node time of each run, in order. */
	runs: number[];
	median: number;
	spread: number;
	/** The most requests that the service saw in flight at once. */
	inFlight: number;
}

/** The default of our node, used for the fetch baseline as well. */
export const DEFAULT_CONCURRENCY = 30;
/** Measured as well, to justify the default. */
export const LOW_CONCURRENCY = 10;
export const HIGH_CONCURRENCY = 50;
export const LATENCIES = [0, 20, 100];
const NODE = 'Send';

/** Runs the contenders in turn (A B C A B C), so that other load on the machine affects all of them. */
export async function measureBatches(
	environment: BenchEnvironment,
	sizes: readonly number[],
	log: (text: string) => void,
): Promise<BatchStats[]> {
	const stats: BatchStats[] = [];
	const measure = async (kind: BatchKind, contenders: readonly Contender[]) => {
		const measured = await measureInTurns(environment, kind, contenders);
		stats.push(...measured);
		const { items, latency, concurrency } = kind;
		log(`${items} items, ${latency} ms, ${concurrency} in flight: ${describe(measured)}`);
	};
	// The first large batch grows the memory of n8n, which should count for no contender.
	await measureInTurns(
		environment,
		{ items: 2000, latency: 0, concurrency: DEFAULT_CONCURRENCY, runs: 1 },
		['ours'],
	);
	for (const items of sizes) {
		for (const latency of LATENCIES) {
			const runs = runsFor(items, latency);
			await measure(
				{ items, latency, concurrency: DEFAULT_CONCURRENCY, runs },
				contendersFor(items, latency),
			);
		}
	}
	for (const concurrency of [LOW_CONCURRENCY, HIGH_CONCURRENCY]) {
		await measure({ items: 1000, latency: 20, concurrency, runs: 2 }, ['ours', 'fetchBaseline']);
	}
	await measure({ items: 1000, latency: 100, concurrency: LOW_CONCURRENCY, runs: 1 }, [
		'ours',
		'fetchBaseline',
	]);
	return stats;
}

/** With a credential, the largest batches of HTTP Request would take minutes, as would a slow fetch baseline. */
function contendersFor(items: number, latency: number): Contender[] {
	if (items < 10_000) {
		return ['ours', 'httpRequest', 'httpRequestHeader', 'httpRequestPlain', 'fetchBaseline'];
	}
	return latency < 100
		? ['ours', 'httpRequestPlain', 'fetchBaseline']
		: ['ours', 'httpRequestPlain'];
}

function runsFor(items: number, latency: number): number {
	if (items >= 10_000) return latency < 100 ? 2 : 1;
	return latency < 100 ? 3 : 2;
}

interface BatchKind {
	items: number;
	latency: number;
	concurrency: number;
	runs: number;
}

async function measureInTurns(
	environment: BenchEnvironment,
	{ items, latency, concurrency, runs: count }: BatchKind,
	contenders: readonly Contender[],
): Promise<BatchStats[]> {
	const { service, client } = environment;
	const workflows = new Map<Contender, string>();
	for (const contender of contenders) {
		if (contender === 'fetchBaseline') continue;
		const node = await nodeOf(environment, contender, concurrency);
		workflows.set(contender, await batchWorkflow(environment, items, node));
	}
	const measured = contenders.map((contender) => ({
		contender,
		items,
		latency,
		concurrency,
		runs: [] as number[],
		inFlight: 0,
	}));
	for (let run = 0; run < count; run++) {
		for (const one of measured) {
			service.clearRequests();
			service.faults.clear();
			if (latency > 0) service.faults.inject({ route: '*', delayMs: latency, every: 1 });
			const workflow = workflows.get(one.contender);
			const took = workflow
				? await nodeTime(client, workflow)
				: await fetchBaseline(service, items, concurrency);
			const created = service.requests.filter(({ status }) => status === 200).length;
			if (created !== items) throw new Error(`${one.contender} created ${created} of ${items}`);
			one.runs.push(took);
			one.inFlight = service.requests.reduce(
				(max, request) => Math.max(max, request.inFlight),
				one.inFlight,
			);
		}
	}
	service.faults.clear();
	service.clearRequests();
	return measured.map((one) => ({ ...one, median: median(one.runs), spread: spread(one.runs) }));
}

export interface MemoryStats {
	contender: Contender;
	items: number;
	/** Growth of the peak resident memory of the n8n process, in MiB. */
	growth: number;
	peak: number;
}

/** Peak memory, each in a new n8n: what one run leaves behind would count for the next. */
export async function measureMemory(
	version: string,
	items: number,
	log: (text: string) => void,
): Promise<MemoryStats[]> {
	const stats: MemoryStats[] = [];
	for (const contender of ['ours', 'httpRequestPlain'] as const) {
		await withBenchEnvironment(version, async (environment) => {
			const node = await nodeOf(environment, contender, DEFAULT_CONCURRENCY);
			const workflow = await batchWorkflow(environment, items, node);
			const before = peakMemory(environment.n8n.pid);
			await nodeTime(environment.client, workflow);
			const peak = peakMemory(environment.n8n.pid);
			stats.push({ contender, items, growth: peak - before, peak });
			log(`memory, ${items} items, ${contender}: ${peak.toFixed(0)} MiB`);
		});
	}
	return stats;
}

/** In MiB, since the last call. */
function peakMemory(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
	return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

function describe(stats: BatchStats[]): string {
	return stats.map(({ contender, median: ms }) => `${contender} ${ms.toFixed(0)} ms`).join(', ');
}

/** The execution time of the node as n8n recorded it, without the nodes before it. */
export async function nodeTime(client: N8nClient, workflowId: string): Promise<number> {
	const id = await client.run(workflowId, START);
	const execution = await client.waitForExecution(id, 300_000, 500);
	const [run] = execution.data.resultData.runData[NODE] ?? [];
	if (execution.status !== 'success' || !run) {
		throw new Error(`The batch failed: ${execution.data.resultData.error?.message}`);
	}
	return run.executionTime;
}

/** An expression for so many candidates, who are others in each run: nobody is invited twice. */
export function candidates(count: number): string {
	return `((run) => Array.from({ length: ${count} }, (_, i) => ({ ref: run + '-' + (i + 1), email: 'nathan' + i + '@example.com' })))(Date.now())`;
}

export async function batchWorkflow(
	{ client }: BenchEnvironment,
	items: number,
	node: WorkflowNode,
): Promise<string> {
	const name = `Bench: ${node.type}, ${items} items`;
	const { id } = await client.createWorkflow(itemsWorkflow(name, candidates(items), node));
	return id;
}

const JOB_ID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

export async function nodeOf(
	environment: BenchEnvironment,
	contender: Contender,
	concurrency = DEFAULT_CONCURRENCY,
): Promise<WorkflowNode> {
	const ours = withCredential(environment.credential);
	if (contender === 'ours') {
		// The default is measured the way users have it: not set.
		const options = concurrency === DEFAULT_CONCURRENCY ? {} : { concurrency: concurrency };
		const parameters = { ...OURS, options };
		return { ...NODE_BASE, type: ACTION, typeVersion: 1, parameters, credentials: ours };
	}
	const http = { ...NODE_BASE, type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 };
	const parameters = httpParameters(environment.service.baseUrl);
	const header = { name: 'Authorization', value: `Bearer ${environment.service.accessToken}` };
	if (contender === 'httpRequestPlain') {
		parameters.headerParameters.parameters.push(header);
		return { ...http, parameters };
	}
	if (contender === 'httpRequestHeader') {
		const { id, name } = await environment.client.createCredential({
			name: 'Bench token',
			type: 'httpHeaderAuth',
			data: header,
		});
		return {
			...http,
			parameters: {
				...parameters,
				authentication: 'genericCredentialType',
				genericAuthType: 'httpHeaderAuth',
			},
			credentials: { httpHeaderAuth: { id, name } },
		};
	}
	return {
		...http,
		parameters: {
			...parameters,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL,
		},
		credentials: ours,
	};
}

const NODE_BASE = { id: 'send', name: NODE, position: [400, 0] as [number, number] };

const OURS = {
	resource: 'candidate',
	operation: 'invite',
	jobId: JOB_ID,
	extReferenceId: '={{ $json.ref }}',
	isAnonymousCandidate: false,
	email: '={{ $json.email }}',
	firstName: 'Nathan',
	lastName: 'Smith',
};

/** At its best: a single expression for the whole body, and everything is sent at once. */
function httpParameters(baseUrl: string) {
	return {
		method: 'POST',
		url: `${baseUrl}/partner/v1.0/standard/candidates`,
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'Accept', value: 'application/json' }] },
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ JSON.stringify({ job_id: "${JOB_ID}", ext_reference_id: $json.ref, is_anonymous_candidate: false, email: $json.email, first_name: "Nathan", last_name: "Smith" }) }}`,
		options: { response: { response: { responseFormat: 'json' } } },
	};
}
