import { setTimeout as sleep } from 'node:timers/promises';

import { workflowOf } from '../support/workflows.mts';
import { batchWorkflow, candidates, DEFAULT_CONCURRENCY, NODE, nodeOf } from './contenders.mts';
import { median, nodeTime, percentile, type BenchEnvironment } from './environment.mts';

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

/** Calls a webhook again and again, first with nothing else going on, then during the check of a list. */
export async function measureOtherCalls(environment: BenchEnvironment): Promise<OtherCallsStats> {
	const { client, n8n, log } = environment;
	const node = nodeOf(environment, 'ours', DEFAULT_CONCURRENCY, 'four put together');
	// The last item is wrong, so that nothing is sent, and the time of the node is the time of the check.
	const items = `${candidates(LARGE)}.with(-1, { email: 'wrong' })`;
	const check = await batchWorkflow(environment, LARGE, node, items);
	await client.publish((await client.createWorkflow(PING_WORKFLOW)).id);
	const url = `${n8n.baseUrl}/webhook/${PING}`;
	await callUntil(url, sleep(1000));
	const quiet = await callUntil(url, sleep(4000));
	const during = await callUntil(url, nodeTime(client, check, NODE, 'error'));
	const [before, after] = [quiet, during].map(({ response95th }) => response95th.toFixed(0));
	log(`other calls: ${before} ms, ${after} ms during a check`);
	return { items: LARGE, quiet, during };
}

async function callUntil(url: string, end: Promise<unknown>): Promise<CallStats> {
	let isOver = false;
	const over = end.finally(() => (isOver = true));
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

const PING = 'bench-ping';
const PING_WORKFLOW = {
	...workflowOf('Bench: another webhook', {
		...{ name: 'Ping', type: 'n8n-nodes-base.webhook', typeVersion: 2 },
		webhookId: 'be9c4000-0003-4f6b-9c3a-7d0a5be1c2d8',
		parameters: { httpMethod: 'GET', path: PING, responseMode: 'onReceived', options: {} },
	}),
	settings: { executionOrder: 'v1', saveDataSuccessExecution: 'none' },
};
