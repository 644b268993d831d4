import { setTimeout as sleep } from 'node:timers/promises';

import { workflowOf } from '../support/workflows.mts';
import { batchWorkflow, candidates, NODE, nodeOf } from './contenders.mts';
import { logged, nodeTime, percentile, type BenchEnvironment } from './environment.mts';
import type { Measurement } from './report.mts';

/** The list whose check keeps n8n busy. */
const LARGE = 10_000;

/** How fast n8n answers calls of another webhook while a list is checked, compared with an idle n8n. */
export async function measureOtherCalls(environment: BenchEnvironment): Promise<Measurement> {
	const { client } = environment;
	const node = nodeOf(environment, 'ours', 'four evaluated');
	// The last item is wrong, so that nothing is sent, and the time of the node is the time of the check.
	const items = `${candidates(LARGE)}.with(-1, { email: 'wrong' })`;
	const check = await client.createWorkflow(batchWorkflow(items, node));
	await client.publish((await client.createWorkflow(PING_WORKFLOW)).id);
	const url = `${client.baseUrl}/webhook/${PING}`;
	await callUntil(url, sleep(1000));
	const idle = await callUntil(url, sleep(4000));
	const during = await callUntil(url, nodeTime(client, check.id, NODE, 'error'));
	return logged({
		work: 'Calls of another webhook while 10,000 items are checked, 95th percentile',
		ours: { value: percentile(during, 95), unit: 'ms' },
		comparedWith: { name: 'an idle n8n', figure: { value: percentile(idle, 95), unit: 'ms' } },
	});
}

/** Calls again and again; gives the response times, in milliseconds. */
async function callUntil(url: string, end: Promise<unknown>): Promise<number[]> {
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
	return times;
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
