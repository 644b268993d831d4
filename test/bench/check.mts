import { setTimeout as sleep } from 'node:timers/promises';

import type { N8nClient, WorkflowNode } from '../../tools/n8n/client.mts';
import { ACTION, withCredential } from '../../demo/workflows/parts.mts';
import { itemsWorkflow, START } from '../support/workflows.mts';
import type { BenchEnvironment } from './environment.mts';
import { median, percentile } from './stats.mts';

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

/** The list whose check keeps n8n busy, with four fields that n8n has to evaluate. */
const LARGE = 10_000;
const EXPRESSION = (path: string) => `={{ ${path} + "" }}`;

/** Calls a webhook again and again, first with nothing else going on, then during the check of a list. */
export async function measureOtherCalls(
	environment: BenchEnvironment,
	log: (text: string) => void,
): Promise<OtherCallsStats> {
	const { client, n8n } = environment;
	const check = await checkWorkflow(environment, LARGE, EXPRESSION);
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
