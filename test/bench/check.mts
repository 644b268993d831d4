import { setTimeout as sleep } from 'node:timers/promises';

import type { N8nClient, WorkflowNode } from '../../tools/n8n/client.mts';
import { ACTION, withCredential } from '../../demo/workflows/parts.mts';
import { itemsWorkflow, START } from '../support/workflows.mts';
import { withBenchEnvironment, type BenchEnvironment } from './environment.mts';
import { median, percentile } from './stats.mts';

/** What the check of a list takes before anything is sent. Times are in milliseconds. */
export interface CheckStats {
	n8n: string;
	items: number;
	/** Every expression a path into the item. */
	paths: number;
	/** Every expression with a method, those of an item evaluated together. */
	together: number;
	/** The same, each evaluated by itself. */
	oneByOne: number;
}

type CheckKind = 'paths' | 'together' | 'oneByOne';

/** In parentheses, an expression is evaluated by itself. */
const EXPRESSION: Record<CheckKind, (path: string) => string> = {
	paths: (path) => `={{ ${path} }}`,
	together: (path) => `={{ ${path}.trim() }}`,
	oneByOne: (path) => `={{ (${path}.trim()) }}`,
};

/** How fast n8n answers other webhook calls. Times are in milliseconds. */
export interface OtherCallsStats {
	items: number;
	quiet: CallStats;
	/** During the check of a list. */
	during: CallStats;
}

interface CallStats {
	calls: number;
	median: number;
	response95th: number;
}

const RUNS = 5;
const ITEMS = 1000;
const LARGE = 10_000;

/** Checks the same list in turns, with each kind of expressions. */
export async function measureCheck(
	version: string,
	log: (text: string) => void,
): Promise<CheckStats> {
	return await withBenchEnvironment(version, async (environment) => {
		const { client } = environment;
		const times = { paths: [] as number[], together: [] as number[], oneByOne: [] as number[] };
		const kinds = Object.keys(times) as CheckKind[];
		const workflows = {} as Record<CheckKind, string>;
		for (const kind of kinds) {
			workflows[kind] = await checkWorkflow(environment, ITEMS, EXPRESSION[kind]);
		}
		// The first run of each warms n8n up.
		for (let run = 0; run <= RUNS; run++) {
			for (const kind of kinds) {
				const took = await checkTime(client, workflows[kind]);
				if (run > 0) times[kind].push(took);
			}
		}
		const stats = {
			n8n: client.version,
			items: ITEMS,
			paths: median(times.paths),
			together: median(times.together),
			oneByOne: median(times.oneByOne),
		};
		log(
			`check on ${stats.n8n}: paths ${stats.paths} ms, together ${stats.together} ms, one by one ${stats.oneByOne} ms`,
		);
		return stats;
	});
}

/** Calls a webhook again and again, first with nothing else going on, then during the check of a list. */
export async function measureOtherCalls(
	environment: BenchEnvironment,
	log: (text: string) => void,
): Promise<OtherCallsStats> {
	const { client, n8n } = environment;
	const check = await checkWorkflow(environment, LARGE, EXPRESSION.together);
	await client.publish((await client.createWorkflow(PING_WORKFLOW)).id);
	const url = `${n8n.baseUrl}/webhook/${PING}`;
	await callUntil(url, sleep(1000));
	const quiet = await callUntil(url, sleep(4000));
	const during = await callUntil(url, checkTime(client, check));
	log(
		`other calls: ${quiet.response95th.toFixed(0)} ms, ${during.response95th.toFixed(0)} ms during a check`,
	);
	return { items: LARGE, quiet, during };
}

async function callUntil(url: string, end: Promise<unknown>): Promise<CallStats> {
	let isOver = false;
	const over = end.then(() => (isOver = true));
	const times: number[] = [];
	while (!isOver) {
		const started = performance.now();
		const response = await fetch(url);
		await response.text();
		if (!response.ok) throw new Error(`The webhook answered ${response.status}`);
		times.push(performance.now() - started);
		await sleep(10);
	}
	await over;
	return { calls: times.length, median: median(times), response95th: percentile(times, 95) };
}

const NODE = 'Invite';

/** The last item is wrong, so that nothing is sent, and the time of the node is the time of the check. */
async function checkWorkflow(
	{ client, credential }: BenchEnvironment,
	count: number,
	expression: (path: string) => string,
): Promise<string> {
	const items = `Array.from({ length: ${count} }, (_, i) => ({ ref: 'APP-' + i, email: i === ${count - 1} ? 'wrong' : 'nathan' + i + '@example.com', first: 'Nathan', last: 'Smith' }))`;
	const node: WorkflowNode = {
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
	};
	return (await client.createWorkflow(itemsWorkflow(`Check ${count}`, items, node))).id;
}

async function checkTime(client: N8nClient, workflowId: string): Promise<number> {
	const id = await client.run(workflowId, START);
	const { status, data } = await client.waitForExecution(id, 300_000, 200);
	const [run] = data.resultData.runData[NODE] ?? [];
	if (!run || status !== 'error') throw new Error('The check found nothing wrong');
	return run.executionTime;
}

const PING = 'bench-ping';
const PING_WORKFLOW = {
	name: 'Bench: another webhook',
	nodes: [
		{
			id: 'ping',
			name: 'Ping',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			position: [0, 0] as [number, number],
			webhookId: 'be9c4000-0003-4f6b-9c3a-7d0a5be1c2d8',
			parameters: { httpMethod: 'GET', path: PING, responseMode: 'onReceived', options: {} },
		},
	],
	connections: {},
	settings: { executionOrder: 'v1', saveDataSuccessExecution: 'none' },
};
