import pLimit from 'p-limit';

import type { ExecutionStatus, ExecutionSummary, N8nClient } from '../../../tools/n8n/client.mts';
import { waitFor } from '../../../tools/n8n/waitFor.mts';
import { baseNode, workflowOf, type Part } from './workflows.mts';

const FAILED: ExecutionStatus[] = ['error', 'crashed', 'canceled'];
const ENDED: ExecutionStatus[] = ['success', ...FAILED];

interface Place {
	client: N8nClient;
	/** URL of the process that takes webhook calls. */
	baseUrl: string;
}

export type CalledWorkflow = Awaited<ReturnType<typeof publishCalled>>;

/** Publishes a workflow that starts an execution for each call, as a form does, with the items of the call. */
export async function publishCalled({ client, baseUrl }: Place, name: string, nodes: Part[]) {
	const parameters = { httpMethod: 'POST', path: name, responseMode: 'onReceived', options: {} };
	const called = { ...baseNode('Called', 'webhook', 2, parameters), webhookId: name };
	const split = baseNode('Split Out', 'splitOut', 1, {
		fieldToSplitOut: 'body.items',
		options: {},
	});
	const workflow = workflowOf(name, called, split, ...nodes);
	const { id } = await client.createWorkflow(workflow);
	await client.publish(id);

	/** Sends a call for each list, up to 40 at once: with more, 1.x runs out of connections. */
	const send = async (lists: object[][]) =>
		await pLimit(40).map(lists, async (items) => {
			const sendOne = async () =>
				await fetch(`${baseUrl}/webhook/${name}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ items }),
				});
			let response = await sendOne();
			// A busy 1.x believes that its database is lost, and refuses the call.
			while (response.status === 503) response = await sendOne();
			if (!response.ok)
				throw new Error(`n8n answered ${response.status}: ${await response.text()}`);
		});

	/** Doesn't use `allExecutions`, which counts some twice while hundreds are in progress. */
	const countEnded = async () => await client.countExecutions({ workflowId: id, status: ENDED });

	/** Waits until this many executions have ended in all. */
	const ended = async (count: number) => {
		const isOver = async () => (await countEnded()) >= count || undefined;
		if (!(await waitFor(400_000, isOver, 200))) throw new Error(`${name} does not end`);
	};

	const failed = async () => {
		const filter = JSON.stringify({ workflowId: id, status: FAILED });
		const path = `/rest/executions?${new URLSearchParams({ filter, limit: '100' })}`;
		const { results } = await client.request<{ results: ExecutionSummary[] }>('GET', path);
		return results.map((execution) => execution.id);
	};

	/** Sends all lists, and waits until their executions have ended. Returns those that failed. */
	const run = async (lists: object[][]) => {
		const before = await failed();
		const expected = (await countEnded()) + lists.length;
		await send(lists);
		await ended(expected);
		return (await failed()).filter((execution) => !before.includes(execution));
	};

	return { id, send, run, ended, failed };
}
