import { readFileSync, writeFileSync } from 'node:fs';

import type { N8nClient, WorkflowNode } from '../../tools/n8n/client.mts';
import { ACTION, CREDENTIAL, withCredential } from '../../demo/workflows/parts.mts';
import { ITEMS_NODE, itemsParameters, itemsWorkflow, START } from '../support/workflows.mts';
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
	/** What fills the fields of our node. */
	expressions: Expressions;
	/** Node time of each run, in order. */
	runs: number[];
	median: number;
	spread: number;
	/** The most requests that the service saw in flight at once. */
	inFlight: number;
}

/**
 * What fills the four fields of a real list: reference, email, first and last name. As a rule they are paths into
 * the item, as the editor writes them when a field is dropped.
 */
export const EXPRESSIONS = {
	'four paths': ['$json.ref', '$json.email', '$json.first', '$json.last'],
	'four with a method': [
		...['$json.ref.trim()', '$json.email.toLowerCase()'],
		...['$json.first.trim()', '$json.last.trim()'],
	],
	'three paths, one put together': ['$json.ref + "-x"', '$json.email', '$json.first', '$json.last'],
	'four put together': [
		...['$json.ref + "-x"', '$json.email + ""'],
		...['$json.first + ""', '$json.last + ""'],
	],
};
export type Expressions = keyof typeof EXPRESSIONS;
export const KINDS = Object.keys(EXPRESSIONS) as Expressions[];
export const LIST_EXPRESSIONS: Expressions = 'four paths';

/** As many as a node remembers: each batch is measured with a full memory, as users have it in the long run. */
export const REMEMBERED = 20_000;
/** It is filled in several batches. */
export const FILLING = 10_000;

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
		const { items, latency, concurrency = DEFAULT_CONCURRENCY, expressions } = kind;
		const fields = expressions === undefined ? '' : `, ${expressions}`;
		log(`${items} items, ${latency} ms, ${concurrency} in flight${fields}: ${describe(measured)}`);
	};
	// Fills the memory of our node, and grows the memory of n8n, which should count for no contender.
	const runs = REMEMBERED / FILLING;
	await measureInTurns(environment, { items: FILLING, latency: 0, runs }, ['ours']);
	for (const items of sizes) {
		for (const latency of LATENCIES) {
			const runs = runsFor(items, latency);
			await measure({ items, latency, runs }, contendersFor(items, latency));
		}
	}
	for (const latency of [0, 20]) {
		for (const expressions of KINDS) {
			if (expressions === LIST_EXPRESSIONS) continue;
			await measure({ items: 1000, latency, expressions, runs: 3 }, ['ours', 'httpRequest']);
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
	return latency < 100 ? 5 : 3;
}

interface BatchKind {
	items: number;
	latency: number;
	concurrency?: number;
	expressions?: Expressions;
	runs: number;
}

async function measureInTurns(
	environment: BenchEnvironment,
	kind: BatchKind,
	contenders: readonly Contender[],
): Promise<BatchStats[]> {
	const { items, latency, runs: count } = kind;
	const { concurrency = DEFAULT_CONCURRENCY, expressions = LIST_EXPRESSIONS } = kind;
	const { service, client } = environment;
	const workflows = new Map<Contender, string>();
	for (const contender of contenders) {
		if (contender === 'fetchBaseline') continue;
		const node = await nodeOf(environment, contender, concurrency, expressions);
		const workflow =
			contender === 'ours'
				? await ourWorkflow(environment, items, node)
				: await batchWorkflow(environment, items, node);
		workflows.set(contender, workflow);
	}
	const measured = contenders.map((contender) => ({
		contender,
		items,
		latency,
		concurrency,
		expressions,
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
function candidates(count: number): string {
	return `((run) => Array.from({ length: ${count} }, (_, i) => ({ ref: run + '-' + (i + 1), email: 'nathan' + i + '@example.com', first: 'Nathan', last: 'Smith ' + i })))(Date.now())`;
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

/** What a node remembers belongs to its workflow: all batches of our node run in the same one. */
const ourWorkflows = new WeakMap<N8nClient, string>();

async function ourWorkflow(
	environment: BenchEnvironment,
	items: number,
	node: WorkflowNode,
): Promise<string> {
	const { client } = environment;
	const known = ourWorkflows.get(client);
	if (known) {
		await replaceNodes(client, known, items, node);
		return known;
	}
	const id = await batchWorkflow(environment, items, node);
	ourWorkflows.set(client, id);
	return id;
}

/** Changes the node of a workflow that `batchWorkflow` made, and how many items it gets. */
export async function replaceNodes(
	client: N8nClient,
	workflowId: string,
	items: number,
	node: WorkflowNode,
): Promise<void> {
	const { nodes, ...workflow } = await client.getWorkflow(workflowId);
	await client.request('PATCH', `/rest/workflows/${workflowId}`, {
		...workflow,
		nodes: nodes.map((one) => {
			if (one.name === ITEMS_NODE)
				return { ...one, parameters: itemsParameters(candidates(items)) };
			return one.name === NODE ? node : one;
		}),
	});
}

const JOB_ID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

export async function nodeOf(
	environment: BenchEnvironment,
	contender: Contender,
	concurrency = DEFAULT_CONCURRENCY,
	expressions: Expressions = LIST_EXPRESSIONS,
): Promise<WorkflowNode> {
	const ours = withCredential(environment.credential);
	if (contender === 'ours') {
		// The default is measured the way users have it: not set.
		const options = concurrency === DEFAULT_CONCURRENCY ? {} : { concurrency };
		const [extReferenceId, email, firstName, lastName] = EXPRESSIONS[expressions].map(
			(expression) => `={{ ${expression} }}`,
		);
		const fields = { extReferenceId, email, firstName, lastName };
		const parameters = { ...OURS, ...fields, options };
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
	isAnonymousCandidate: false,
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
		jsonBody: `={{ JSON.stringify({ job_id: "${JOB_ID}", ext_reference_id: $json.ref, is_anonymous_candidate: false, email: $json.email, first_name: $json.first, last_name: $json.last }) }}`,
		options: { response: { response: { responseFormat: 'json' } } },
	};
}
