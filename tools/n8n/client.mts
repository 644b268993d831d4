import { parse } from 'flatted';

import type {
	ConnectionTest,
	Credential,
	CredentialToCreate,
	Execution,
	ExecutionFilter,
	ExecutionStatus,
	ExecutionSummary,
	Item,
	Owner,
	Workflow,
	WorkflowDefinition,
} from './client.types.mts';
import { N8nConnection, N8nRequestError } from './connection.mts';
import { waitFor } from './waitFor.mts';

export type * from './client.types.mts';
export { N8nRequestError } from './connection.mts';

interface PublicationStatus {
	status: 'not_published' | 'in_progress' | 'published' | 'partial' | 'failed';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

/** After these statuses nothing more happens to an execution. */
const FINISHED: ReadonlySet<ExecutionStatus> = new Set(['success', 'error', 'crashed', 'canceled']);
const STATUSES = [...FINISHED, 'new', 'running', 'waiting', 'unknown'];

/** A client for the REST API that n8n's editor uses, for n8n 1.x and 2.x. */
export class N8nClient extends N8nConnection {
	/** Logs in. An n8n without an owner gets this one. */
	static async connect(baseUrl: string, owner: Owner): Promise<N8nClient> {
		const client = new N8nClient(baseUrl);
		await client.logIn(owner);
		return client;
	}

	// Credentials

	async createCredential(credential: CredentialToCreate): Promise<Credential> {
		return await this.request('POST', '/rest/credentials', credential);
	}

	async updateCredential(id: string, credential: CredentialToCreate): Promise<Credential> {
		return await this.request('PATCH', `/rest/credentials/${id}`, credential);
	}

	/** Has n8n test a credential, as its editor does on saving. 1.x only tests saved ones. */
	async testCredential(credential: CredentialToCreate & { id?: string }): Promise<ConnectionTest> {
		// n8n requires an ID even before the credential is saved.
		const credentials = { id: '', ...credential };
		return await this.request('POST', '/rest/credentials/test', { credentials });
	}

	// Workflows

	async createWorkflow(workflow: WorkflowDefinition): Promise<Workflow> {
		// 1.x and 2.0 require `active`. Without `pinData`, the editor can't run a single step.
		const asked = { settings: {}, pinData: {}, active: false, ...workflow };
		return await this.request('POST', '/rest/workflows', asked);
	}

	async getWorkflow(id: string): Promise<Workflow> {
		return await this.request('GET', `/rest/workflows/${id}`);
	}

	/**
	 * Publishes a version of a workflow, by default the last one saved. Resolves when
	 * its triggers are registered, and rejects with their errors if that fails.
	 */
	async publish(
		id: string,
		options: { versionId?: string; timeoutMs?: number } = {},
	): Promise<void> {
		const versionId = options.versionId ?? (await this.getWorkflow(id)).versionId;
		if (this.isVersion1) {
			await this.request('PATCH', `/rest/workflows/${id}`, { active: true, versionId });
			return;
		}
		await this.request('POST', `/rest/workflows/${id}/activate`, { versionId });
		await this.#settledAs('published', id, options.timeoutMs);
	}

	/** Unpublishes a workflow. Resolves when its triggers are no longer registered. */
	async unpublish(id: string): Promise<void> {
		if (this.isVersion1) {
			const { versionId } = await this.getWorkflow(id);
			await this.request('PATCH', `/rest/workflows/${id}`, { active: false, versionId });
			return;
		}
		await this.request('POST', `/rest/workflows/${id}/deactivate`, {});
		await this.#settledAs('not_published', id);
	}

	/** Waits until n8n has registered the triggers. */
	async #settledAs(wanted: PublicationStatus['status'], id: string, timeoutMs = 30_000) {
		if (!this.registersLater) return;
		const path = `/rest/workflows/${id}/publication-status`;
		const ask = async () => await this.request<PublicationStatus>('GET', path);
		await poll(timeoutMs, `triggers of workflow ${id} to settle`, async () => {
			const { status } = await ask();
			return status === 'in_progress' ? undefined : status;
		});
		// The first status after 'in_progress' may be outdated. The next one is right.
		const { status, triggers } = await ask();
		if (status === wanted) return;
		const reasons = triggers.flatMap(({ errorMessage }) => errorMessage ?? []);
		throw new N8nRequestError('GET', path, 200, `${status}: ${reasons.join('; ')}`);
	}

	// Executions

	/** Runs the saved workflow from a trigger node, as "Execute workflow" does. Returns the execution's ID. */
	async run(workflowId: string, triggerName: string): Promise<string> {
		const { executionId } = await this.#runManually(workflowId, triggerName);
		if (executionId) return executionId;
		throw new Error(`"${triggerName}" waits to be called: use listen()`);
	}

	/** Has a trigger listen for one test event, as "Listen for test event" does. */
	async listen(workflowId: string, triggerName: string): Promise<void> {
		const { waitingForWebhook } = await this.#runManually(workflowId, triggerName);
		if (!waitingForWebhook) throw new Error(`"${triggerName}" does not wait to be called`);
	}

	/** Stops listening. n8n responds before the test has stopped. */
	async stopListening(workflowId: string): Promise<void> {
		await this.request('DELETE', `/rest/test-webhook/${workflowId}`);
	}

	async #runManually(workflowId: string, triggerName: string) {
		// 1.x runs the workflow in the request, 2.x the saved one.
		const workflowData = await this.getWorkflow(workflowId);
		const ask = async () =>
			await this.request<{ executionId?: string; waitingForWebhook?: boolean }>(
				'POST',
				`/rest/workflows/${workflowId}/run`,
				{ workflowData, startNodes: [], triggerToStartFrom: { name: triggerName } },
			);
		try {
			return await ask();
		} catch (error) {
			// Before the first node runs, 2.41 checks the nodes' fields with patterns, each for up to
			// 250 ms by the clock. If the machine stalled meanwhile, nothing has run yet.
			const stoodStill = 'Regular expression execution timed out';
			if (error instanceof N8nRequestError && error.reason === stoodStill) return await ask();
			throw error;
		}
	}

	/** An execution with its data, finished or not. */
	async getExecution(id: string): Promise<Execution> {
		const execution = await this.request<Execution & { data: string }>(
			'GET',
			`/rest/executions/${id}`,
		);
		return { ...execution, data: parse(execution.data) };
	}

	/** Waits until an execution has ended, and returns it with its data. */
	async waitForExecution(
		id: string,
		timeoutMs = 60_000,
		/** Frequent requests slow n8n down. */
		everyMs?: number,
	): Promise<Execution> {
		const ask = async () => {
			const execution = await this.getExecution(id);
			return FINISHED.has(execution.status) && isWhole(execution) ? execution : undefined;
		};
		return await poll(timeoutMs, `execution ${id} to end`, ask, everyMs);
	}

	/** Stops an execution, as *Stop* in the editor does. */
	async stopExecution(id: string): Promise<void> {
		await this.request('POST', `/rest/executions/${id}/stop`);
	}

	/** Runs the saved workflow from a trigger node and waits until it has ended. */
	async runToEnd(workflowId: string, triggerName: string, timeoutMs?: number): Promise<Execution> {
		return await this.waitForExecution(await this.run(workflowId, triggerName), timeoutMs);
	}

	/** All executions of a workflow, newest first. */
	async allExecutions(workflowId: string): Promise<ExecutionSummary[]> {
		// Without a status, n8n queries its database twice: an execution whose status changes in between is in neither
		// result.
		const filter = JSON.stringify({ workflowId, status: STATUSES });
		const all: ExecutionSummary[] = [];
		let page: { lastId?: string; cursor?: string } = {};
		for (;;) {
			const query = { limit: '100', filter, ...page };
			const { results, nextCursor } = await this.request<{
				results: ExecutionSummary[];
				nextCursor?: string | null;
			}>('GET', `/rest/executions?${new URLSearchParams(query)}`);
			all.push(...results);
			const last = results.at(-1);
			// 1.x pages by execution ID, 2.x by cursor.
			if (!last || (!this.isVersion1 && !nextCursor)) break;
			page = this.isVersion1 ? { lastId: last.id } : { cursor: nextCursor as string };
		}
		return all.sort((a, b) => Number(b.id) - Number(a.id));
	}

	/** How many executions there are in all. */
	async countExecutions(filter: ExecutionFilter): Promise<number> {
		const query = new URLSearchParams({ limit: '1', filter: JSON.stringify(filter) });
		return (await this.request<{ count: number }>('GET', `/rest/executions?${query}`)).count;
	}

	/** Waits until that many executions of a workflow have ended. Returns them, newest first. */
	async waitForExecutions(
		workflowId: string,
		count: number,
		timeoutMs = 60_000,
	): Promise<ExecutionSummary[]> {
		return await poll(timeoutMs, `workflow ${workflowId} to run ${count} times`, async () => {
			const executions = await this.allExecutions(workflowId);
			const ended = executions.filter(({ status }) => FINISHED.has(status));
			return ended.length >= count ? ended : undefined;
		});
	}
}

/** The items that a node output in an execution, in all of its runs. */
export function itemsOf(execution: Execution, nodeName: string, output = 0): Item[] {
	const runs = execution.data.resultData.runData[nodeName] ?? [];
	return runs.flatMap((run) => run.data?.main[output] ?? []);
}

/** Whether the nodes' output is stored: 1.x first stores that the execution has ended. */
function isWhole({ status, data }: Execution): boolean {
	if (status !== 'success' && status !== 'error') return true;
	const { lastNodeExecuted, error } = data?.resultData ?? {};
	return lastNodeExecuted !== undefined || error !== undefined;
}

/** Asks until there is an answer. Throws when the time is up. */
async function poll<T>(
	timeoutMs: number,
	what: string,
	ask: () => Promise<T | undefined>,
	everyMs?: number,
): Promise<T> {
	const answer = await waitFor(timeoutMs, async () => await ask().catch(orLater), everyMs);
	if (answer === undefined) throw new Error(`Waited ${timeoutMs / 1000} seconds for ${what}`);
	return answer;
}

/** A busy n8n may close a connection, or report its own database as lost. */
function orLater(error: unknown): undefined {
	if (error instanceof N8nRequestError && [0, 503].includes(error.status)) return undefined;
	throw error;
}
