import { readFileSync, writeFileSync } from 'node:fs';

import type { N8nClient, WorkflowNode } from '../../demo/n8n/client.mts';
import type { Demo } from '../../demo/n8n/demo.mts';
import { ACTION, chain } from '../../demo/n8n/workflows/parts.mts';
import { withRealN8n } from '../support/realN8n.mts';
import { usedCredential } from '../support/credentials.mts';
import { bareLoop } from './bareLoop.mts';
import { median, spread } from './figures.mts';

export type Contender = 'ours' | 'httpRequest' | 'bareLoop';

/** One kind of batch, measured for one contender. Times in milliseconds. */
export interface BatchFigures {
	contender: Contender;
	items: number;
	/** What the service takes for an answer. */
	latency: number;
	/** Node time, of each run in the order in which they came. */
	runs: number[];
	median: number;
	spread: number;
	/** The most requests that the service saw under way at once. */
	inFlight: number;
}

/** The default of our node: the bare loop gets the same. */
const CONCURRENCY = 20;
const LATENCIES = [0, 20, 100];
const NODE = 'Send';

/** Runs the contenders in turn (A B C A B C), so that what else the machine does hits all alike. */
export async function measureBatches(
	demo: Demo,
	sizes: readonly number[],
	say: (text: string) => void,
): Promise<BatchFigures[]> {
	const figures: BatchFigures[] = [];
	for (const items of sizes) {
		const workflows = {
			ours: await batchWorkflow(demo, items, await ourNode(demo)),
			httpRequest: await batchWorkflow(demo, items, httpRequestNode(demo)),
		};
		for (const latency of LATENCIES) {
			const contenders: Contender[] = ['ours', 'httpRequest', 'bareLoop'];
			const times = new Map(contenders.map((contender) => [contender, [] as number[]]));
			const inFlight = new Map(contenders.map((contender) => [contender, 0]));
			for (let run = 0; run < runsFor(items, latency); run++) {
				for (const contender of contenders) {
					demo.service.clearRequests();
					demo.service.faults.clear();
					if (latency > 0) {
						demo.service.faults.order({ route: '*', delayMs: latency, every: 1 });
					}
					const took =
						contender === 'bareLoop'
							? await bareLoop(demo.service, items, CONCURRENCY)
							: await nodeTime(demo.client, workflows[contender]);
					const { requests } = demo.service;
					const created = requests.filter(({ status }) => status === 200).length;
					if (created !== items) throw new Error(`${contender} created ${created} of ${items}`);
					times.get(contender)!.push(took);
					const most = requests.reduce((max, request) => Math.max(max, request.inFlight), 0);
					inFlight.set(contender, Math.max(inFlight.get(contender)!, most));
				}
			}
			for (const contender of contenders) {
				const runs = times.get(contender)!;
				figures.push({
					contender,
					items,
					latency,
					runs,
					median: median(runs),
					spread: spread(runs),
					inFlight: inFlight.get(contender)!,
				});
			}
			say(`${items} items, ${latency} ms: ${describe(figures.slice(-3))}`);
		}
	}
	demo.service.faults.clear();
	demo.service.clearRequests();
	return figures;
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
	for (const contender of ['ours', 'httpRequest'] as const) {
		await withRealN8n('bench', line, async (demo) => {
			const node = contender === 'ours' ? await ourNode(demo) : httpRequestNode(demo);
			const workflow = await batchWorkflow(demo, items, node);
			const before = peakMemory(demo.n8n.pid);
			await nodeTime(demo.client, workflow);
			const peak = peakMemory(demo.n8n.pid);
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

function runsFor(items: number, latency: number): number {
	if (items >= 10_000) return latency < 100 ? 2 : 1;
	return items >= 1000 ? 3 : 5;
}

function describe(figures: BatchFigures[]): string {
	return figures.map(({ contender, median: ms }) => `${contender} ${ms.toFixed(0)} ms`).join(', ');
}

/** What the node took by n8n's own record; the nodes before it do not count. */
async function nodeTime(client: N8nClient, workflowId: string): Promise<number> {
	const execution = await client.waitForExecution(await client.run(workflowId, 'Start'), 300_000);
	const [run] = execution.data.resultData.runData[NODE] ?? [];
	if (execution.status !== 'success' || !run) {
		throw new Error(`The batch failed: ${execution.data.resultData.error?.message}`);
	}
	return run.executionTime;
}

async function batchWorkflow({ client }: Demo, items: number, node: WorkflowNode): Promise<string> {
	const { id } = await client.createWorkflow({
		name: `Bench: ${node.type}, ${items} items`,
		nodes: [
			{
				id: 'start',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: 'candidates',
				name: 'Candidates',
				type: 'n8n-nodes-base.code',
				typeVersion: 2,
				position: [200, 0],
				parameters: {
					jsCode: `return Array.from({ length: ${items} }, (_, i) => ({ json: { ref: 'APP-' + (i + 1), email: 'nathan' + i + '@example.com' } }));`,
				},
			},
			node,
		],
		connections: chain('Start', 'Candidates', NODE),
		settings: { executionOrder: 'v1' },
	});
	return id;
}

const JOB_ID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

async function ourNode({ client, state }: Demo): Promise<WorkflowNode> {
	return {
		id: 'send',
		name: NODE,
		type: ACTION,
		typeVersion: 1,
		position: [400, 0],
		parameters: {
			resource: 'candidate',
			operation: 'invite',
			jobId: JOB_ID,
			extReferenceId: '={{ $json.ref }}',
			isAnonymousCandidate: false,
			email: '={{ $json.email }}',
			firstName: 'Nathan',
			lastName: 'Smith',
		},
		credentials: await usedCredential(client, state.credentialId),
	};
}

/** At its best: a fixed header costs it less than a credential, and it sends everything at once. */
function httpRequestNode({ service }: Demo): WorkflowNode {
	return {
		id: 'send',
		name: NODE,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		position: [400, 0],
		parameters: {
			method: 'POST',
			url: `${service.baseUrl}/partner/v1.0/standard/candidates`,
			sendHeaders: true,
			headerParameters: {
				parameters: [
					{ name: 'Authorization', value: `Bearer ${service.accessToken}` },
					{ name: 'Accept', value: 'application/json' },
				],
			},
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `={{ JSON.stringify({ job_id: "${JOB_ID}", ext_reference_id: $json.ref, is_anonymous_candidate: false, email: $json.email, first_name: "Nathan", last_name: "Smith" }) }}`,
			options: { response: { response: { responseFormat: 'json' } } },
		},
	};
}
