import type { PartnerService } from '../../mock-service/service.mts';
import {
	itemsOf,
	type Execution,
	type Item,
	type N8nClient,
	type WorkflowDefinition,
	type WorkflowNode,
} from '../../tools/n8n/client.mts';
import { createCredential } from './credentials.mts';
import { ACTION_NODE, actionWorkflow, anonymousInvitation, START } from './workflows.mts';

interface ListOptions {
	list: string[];
	/** Of the node, such as `onError`. */
	settings?: Partial<WorkflowNode>;
	parameters?: Record<string, unknown>;
	/** Changes the workflow, which is a row of three nodes otherwise. */
	change?: (workflow: WorkflowDefinition) => void;
}

export interface ListRun extends Execution {
	/** What came out, by output of the action node. */
	outputs: Array<Array<Item['json']>>;
	hints: string[];
}

/** A saved workflow that invites a list, to be run again and again. */
export class InviteList {
	readonly id: string;
	readonly #client: N8nClient;
	readonly #service: PartnerService;

	private constructor(client: N8nClient, service: PartnerService, id: string) {
		this.id = id;
		this.#client = client;
		this.#service = service;
	}

	static async create(
		client: N8nClient,
		service: PartnerService,
		{ list, settings = {}, parameters = {}, change }: ListOptions,
	): Promise<InviteList> {
		const workflow = actionWorkflow({
			name: 'Invite a list',
			credential: await createCredential(client, service),
			items: JSON.stringify(list.map((ref) => ({ ref }))),
			parameters: anonymousInvitation(parameters),
		});
		Object.assign(
			workflow.nodes.find(({ name }) => name === ACTION_NODE)!,
			settings,
		);
		change?.(workflow);
		return new InviteList(client, service, (await client.createWorkflow(workflow)).id);
	}

	async start(): Promise<string> {
		return await this.#client.run(this.id, START);
	}

	async run(): Promise<ListRun> {
		return await this.outcome(await this.start());
	}

	/** n8n's own Retry of an execution that has failed. */
	async retry(executionId: string): Promise<ListRun> {
		const { length: before } = await this.#client.allExecutions(this.id);
		await this.#client.request('POST', `/rest/executions/${executionId}/retry`, {
			loadWorkflow: false,
		});
		const [{ id }] = await this.#client.waitForExecutions(this.id, before + 1);
		return await this.outcome(id);
	}

	private async outcome(id: string): Promise<ListRun> {
		const execution = await this.#client.waitForExecution(id, 170_000);
		const outputs = [0, 1, 2].map((output) =>
			itemsOf(execution, ACTION_NODE, output).map(({ json }) => json),
		);
		const runs = execution.data.resultData.runData[ACTION_NODE] ?? [];
		const hints = runs.flatMap((run) => run.hints ?? []).map(({ message }) => message);
		return { ...execution, outputs, hints };
	}

	/** The references that the service was asked to invite, one for each request. */
	get sent(): string[] {
		return this.#service.requests.map(
			({ body }) => (body as { ext_reference_id: string }).ext_reference_id,
		);
	}
}

export function references(count: number): string[] {
	return Array.from({ length: count }, (_, index) => `APP-${index + 1}`);
}
