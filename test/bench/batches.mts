import { readFileSync, writeFileSync } from 'node:fs';

import type { N8nClient, WorkflowNode } from '../../tools/n8n/client.mts';
import { ACTION, CREDENTIAL, withCredential } from '../../demo/workflows/parts.mts';
import { itemsWorkflow, START } from '../support/workflows.mts';
import { bareLoop } from './fetchBaseline.mts';
import { median, spread } from './stats.mts';
import { withGround, type Ground } from './environment.mts';

/**
 * HTTP Request comes with our credential, with n8n's Header Auth credential, and with the token
 * written into the node in plain text: the fastest that it can be, and not to be recommended.
 */
export type Contender =
	'ours' | 'httpRequest' | 'httpRequestHeader' | 'httpRequestPlain' | 'bareLoop';

/** One kind of batch, measured for one contender. Times in milliseconds. */
export interface BatchFigures {
	contender: Contender;
	items: number;
	/** What the service takes for an answer. */
	latency: number;
	/** Requests in flight at most, for ours and the bare loop. */
	bound: number;
	/** Node time, of each run in the order in which they came. */
	runs: number[];
	median: number;
	spread: number;
	/** The most requests that the service saw under way at once. */
	inFlight: number;
}

/** The default of our node: the bare loop gets the same. */
export const DEFAULT_BOUND = 30;
/** Measured besides, to choose the default by. */
export const LOW_BOUND = 10;
export const HIGH_BOUND = 50;
export const LATENCIES = [0, 20, 100];
const NODE = 'Send';

/** Runs the contenders in turn (A B C A B C), so that what else the machine does hits all alike. */
export async function measureBatches(
	ground: Ground,
	sizes: readonly number[],
	say: (text: string) => void,
): Promise<BatchFigures[]> {
	const figures: BatchFigures[] = [];
	const measure = async (kind: BatchKind, contenders: readonly Contender[]) => {
		const measured = await measureInTurns(ground, kind, contenders);
		figures.push(...measured);
		const { items, latency, bound } = kind;
		say(`${items} items, ${latency} ms, ${bound} in flight: ${describe(measured)}`);
	};
	// The first large batch grows the memory of n8n: nobody is to pay for that.
	await measureInTurns(ground, { items: 2000, latency: 0, bound: DEFAULT_BOUND, runs: 1 }, [
		'ours',
	]);
	for (const items of sizes) {
		for (const latency of LATENCIES) {
			const runs = runsFor(items, latency);
			await measure({ items, latency, bound: DEFAULT_BOUND, runs }, contendersFor(items, latency));
		}
	}
	for (const bound of [LOW_BOUND, HIGH_BOUND]) {
		await measure({ items: 1000, latency: 20, bound, runs: 2 }, ['ours', 'bareLoop']);
	}
	await measure({ items: 1000, latency: 100, bound: LOW_BOUND, runs: 1 }, ['ours', 'bareLoop']);
	return figures;
}

/** With a credential the largest batches of HTTP Request would take minutes, and so would a slow bare loop. */
function contendersFor(items: number, latency: number): Contender[] {
	if (items < 10_000) {
		return ['ours', 'httpRequest', 'httpRequestHeader', 'httpRequestPlain', 'bareLoop'];
	}
	return latency < 100 ? ['ours', 'httpRequestPlain', 'bareLoop'] : ['ours', 'httpRequestPlain'];
}

function runsFor(items: number, latency: number): number {
	if (items >= 10_000) return latency < 100 ? 2 : 1;
	return latency < 100 ? 3 : 2;
}

interface BatchKind {
	items: number;
	latency: number;
	bound: number;
	runs: number;
}

async function measureInTurns(
	ground: Ground,
	{ items, latency, bound, runs: count }: BatchKind,
	contenders: readonly Contender[],
): Promise<BatchFigures[]> {
	const { service, client } = ground;
	const workflows = new Map<Contender, string>();
	for (const contender of contenders) {
		if (contender === 'bareLoop') continue;
		const node = await nodeOf(ground, contender, bound);
		workflows.set(contender, await batchWorkflow(ground, items, node));
	}
	const measured = contenders.map((contender) => ({
		contender,
		items,
		latency,
		bound,
		runs: [] as number[],
		inFlight: 0,
	}));
	for (let run = 0; run < count; run++) {
		for (const one of measured) {
			service.clearRequests();
			service.faults.clear();
			if (latency > 0) service.faults.order({ route: '*', delayMs: latency, every: 1 });
			const workflow = workflows.get(one.contender);
			const took = workflow
				? await nodeTime(client, workflow)
				: await bareLoop(service, items, bound);
			const created = service.requests.filter(({ status }) => status === 200).length;
			if (created !== items) throw new Error(`${one.contender} created ${created} of ${items}`);
			one.runs.push(took);
			one.inFlight = service.requests.reduce(
				(most, request) => Math.max(most, request.inFlight),
				one.inFlight,
			);
		}
	}
	service.faults.clear();
	service.clearRequests();
	return measured.map((one) => ({ ...one, median: median(one.runs), spread: spread(one.runs) }));
}

export interface MemoryFigures {
	contender: Contender;
	items: number;
	/** The most memory that the n8n process held (resident, in MiB), less what it held before. */
	growth: number;
	peak: number;
}

/** Peak memory of a new n8n for each, since what one run leaves behind would count for the next. */
export async function measureMemory(
	line: string,
	items: number,
	say: (text: string) => void,
): Promise<MemoryFigures[]> {
	const figures: MemoryFigures[] = [];
	for (const contender of ['ours', 'httpRequestPlain'] as const) {
		await withGround(line, async (ground) => {
			const node = await nodeOf(ground, contender, DEFAULT_BOUND);
			const workflow = await batchWorkflow(ground, items, node);
			const before = peakMemory(ground.n8n.pid);
			await nodeTime(ground.client, workflow);
			const peak = peakMemory(ground.n8n.pid);
			figures.push({ contender, items, growth: peak - before, peak });
			say(`memory, ${items} items, ${contender}: ${peak.toFixed(0)} MiB`);
		});
	}
	return figures;
}

/** In MiB, since the last look. */
function peakMemory(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
	return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

function describe(figures: BatchFigures[]): string {
	return figures.map(({ contender, median: ms }) => `${contender} ${ms.toFixed(0)} ms`).join(', ');
}

/** What the node took by n8n's own record; the nodes before it do not count. */
async function nodeTime(client: N8nClient, workflowId: string): Promise<number> {
	const id = await client.run(workflowId, START);
	const execution = await client.waitForExecution(id, 300_000, 500);
	const [run] = execution.data.resultData.runData[NODE] ?? [];
	if (execution.status !== 'success' || !run) {
		throw new Error(`The batch failed: ${execution.data.resultData.error?.message}`);
	}
	return run.executionTime;
}

export async function batchWorkflow(
	{ client }: Ground,
	items: number,
	node: WorkflowNode,
): Promise<string> {
	const candidates = `Array.from({ length: ${items} }, (_, i) => ({ ref: 'APP-' + (i + 1), email: 'nathan' + i + '@example.com' }))`;
	const name = `Bench: ${node.type}, ${items} items`;
	const { id } = await client.createWorkflow(itemsWorkflow(name, candidates, node));
	return id;
}

const JOB_ID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

export async function nodeOf(
	ground: Ground,
	contender: Contender,
	bound = DEFAULT_BOUND,
): Promise<WorkflowNode> {
	const ours = withCredential(ground.credential);
	if (contender === 'ours') {
		// The default is measured as users have it: untouched.
		const options = bound === DEFAULT_BOUND ? {} : { concurrency: bound };
		const parameters = { ...OURS, options };
		return { ...NODE_BASE, type: ACTION, typeVersion: 1, parameters, credentials: ours };
	}
	const http = { ...NODE_BASE, type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 };
	const parameters = httpParameters(ground.service.baseUrl);
	const header = { name: 'Authorization', value: `Bearer ${ground.service.accessToken}` };
	if (contender === 'httpRequestPlain') {
		parameters.headerParameters.parameters.push(header);
		return { ...http, parameters };
	}
	if (contender === 'httpRequestHeader') {
		const { id, name } = await ground.client.createCredential({
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

/** At its best: one expression makes the whole body, and everything is sent at once. */
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
