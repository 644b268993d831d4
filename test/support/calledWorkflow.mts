import pLimit from 'p-limit';

import type { ExecutionStatus, ExecutionSummary, N8nClient } from '../../tools/n8n/client.mts';
import { waitFor } from '../../tools/n8n/waitFor.mts';
import { workflowOf, type Part } from './workflows.mts';

const FAILED: ExecutionStatus[] = ['error', 'crashed', 'canceled'];
const ENDED: ExecutionStatus[] = ['success', ...FAILED];

interface Place {
	client: N8nClient;
	/** Of the process that takes calls from outside. */
	baseUrl: string;
}

/** A published workflow that starts an execution for each call, as a form does, with the items of the call. */
export class CalledWorkflow {
	readonly id: string;
	readonly name: string;
	readonly #place: Place;

	private constructor(place: Place, name: string, id: string) {
		[this.#place, this.name, this.id] = [place, name, id];
	}

	static async publish(
		place: Place,
		name: string,
		nodes: Part[],
		settings: Record<string, unknown> = {},
	): Promise<CalledWorkflow> {
		const webhook = {
			name: 'Called',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: name,
			parameters: { httpMethod: 'POST', path: name, responseMode: 'onReceived', options: {} },
		};
		const split = {
			name: 'Split Out',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'body.items', options: {} },
		};
		const workflow = workflowOf(name, webhook, split, ...nodes);
		Object.assign(workflow.settings!, settings);
		const { id } = await place.client.createWorkflow(workflow);
		await place.client.publish(id);
		return new CalledWorkflow(place, name, id);
	}

	/** Sends a call for each list, as fast as n8n takes them: more at once, and 1.x runs out of connections. */
	async send(lists: object[][]): Promise<void> {
		await pLimit(40).map(lists, async (items) => {
			const send = async () =>
				await fetch(`${this.#place.baseUrl}/webhook/${this.name}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ items }),
				});
			let response = await send();
			// A busy 1.x takes its database for lost, and refuses the call.
			while (response.status === 503) response = await send();
			if (!response.ok)
				throw new Error(`n8n answered ${response.status}: ${await response.text()}`);
		});
	}

	/** Sends all, and waits until all has ended. Gives the executions that have failed since. */
	async run(lists: object[][]): Promise<string[]> {
		const before = await this.failed();
		const expected = (await this.#ended()) + lists.length;
		await this.send(lists);
		await this.ended(expected);
		return (await this.failed()).filter((id) => !before.includes(id));
	}

	/** Waits until so many executions have ended in all. */
	async ended(count: number): Promise<void> {
		const isOver = async () => (await this.#ended()) >= count || undefined;
		if (!(await waitFor(400_000, isOver, 200))) throw new Error(`${this.name} does not end`);
	}

	/** Not by `allExecutions`: it counts some twice while hundreds are under way. */
	async #ended(): Promise<number> {
		return await this.#place.client.countExecutions({ workflowId: this.id, status: ENDED });
	}

	async failed(): Promise<string[]> {
		const filter = JSON.stringify({ workflowId: this.id, status: FAILED });
		const path = `/rest/executions?${new URLSearchParams({ filter, limit: '100' })}`;
		const { client } = this.#place;
		const { results } = await client.request<{ results: ExecutionSummary[] }>('GET', path);
		return results.map(({ id }) => id);
	}
}
