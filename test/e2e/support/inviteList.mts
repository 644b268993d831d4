import type { PartnerService } from '../../../mock-service/service.mts';
import { itemsOf, type N8nClient, type WorkflowNode } from '../../../tools/n8n/client.mts';
import { createCredential } from '../../support/credentials.mts';
import {
	ACTION_NODE,
	actionNode,
	anonymousInvitation,
	itemsWorkflow,
	START,
	type Part,
} from './workflows.mts';

interface ListOptions {
	list: string[];
	/** Node settings, such as `onError`. */
	settings?: Partial<WorkflowNode>;
	parameters?: Record<string, unknown>;
	/** More nodes. */
	more?: Part[];
}

/** Saves a workflow that invites a list and can be run repeatedly. */
export async function createInviteList(
	client: N8nClient,
	service: PartnerService,
	{ list, settings, parameters, more = [] }: ListOptions,
) {
	const credential = await createCredential(client, service);
	const invite = actionNode(credential, anonymousInvitation(parameters), settings);
	const items = JSON.stringify(list.map((ref) => ({ ref })));
	const workflow = itemsWorkflow('Invite a list', items, invite, ...more);
	const { id } = await client.createWorkflow(workflow);

	const start = async () => await client.run(id, START);
	const outcome = async (executionId: string) => {
		const execution = await client.waitForExecution(executionId, 170_000);
		/** The action node's items, by output. */
		const outputs = [0, 1, 2].map((output) =>
			itemsOf(execution, ACTION_NODE, output).map(({ json }) => json),
		);
		return { ...execution, outputs };
	};
	return {
		id,
		start,
		outcome,
		run: async () => await outcome(await start()),
		/** Uses n8n's Retry on a failed execution. */
		retry: async (failedId: string) => {
			const { length: before } = await client.allExecutions(id);
			await client.request('POST', `/rest/executions/${failedId}/retry`, { loadWorkflow: false });
			const [retried] = await client.waitForExecutions(id, before + 1);
			return await outcome(retried.id);
		},
		/** The candidate reference of each request. */
		sent: () =>
			service.requests.map(({ body }) => (body as { ext_reference_id: string }).ext_reference_id),
	};
}

export function references(count: number): string[] {
	return Array.from({ length: count }, (_, index) => `APP-${index + 1}`);
}
