import type { PartnerService } from '../../../mock-service/service.mts';
import { itemsOf, type WorkflowNode } from '../../../tools/n8n/client.mts';
import { createCredential } from '../../support/credentials.mts';
import { ACTION_NODE, actionWorkflow, START } from '../../support/workflows.mts';
import type { TestN8n } from '../../support/testEnvironment.mts';
import { expect, startService, test as base } from '../fixtures.mts';

const SIZE = 20;
const ALL = references(SIZE);

/** A saved workflow that invites a list, to be run again and again. */
class InviteList {
	private constructor(
		private readonly n8n: TestN8n,
		private readonly service: PartnerService,
		readonly id: string,
	) {}

	static async create(
		n8n: TestN8n,
		service: PartnerService,
		{ list = ALL, settings = {}, options = {} }: ListOptions = {},
	): Promise<InviteList> {
		const workflow = actionWorkflow({
			name: 'Invite a list',
			credential: await createCredential(n8n.client, service),
			items: JSON.stringify(list.map((reference) => ({ reference }))),
			parameters: {
				...{ resource: 'candidate', operation: 'invite' },
				jobId: '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c',
				extReferenceId: '={{ $json.reference }}',
				isAnonymousCandidate: true,
				options,
			},
		});
		Object.assign(
			workflow.nodes.find(({ name }) => name === ACTION_NODE)!,
			settings,
		);
		return new InviteList(n8n, service, (await n8n.client.createWorkflow(workflow)).id);
	}

	async run() {
		return this.outcome(await this.n8n.client.run(this.id, START));
	}

	/** n8n's own Retry of an execution that has failed. */
	async retry(executionId: string) {
		const { client } = this.n8n;
		await client.request('POST', `/rest/executions/${executionId}/retry`, { loadWorkflow: false });
		const [{ id }] = await client.allExecutions(this.id);
		return await this.outcome(id);
	}

	private async outcome(id: string) {
		const execution = await this.n8n.client.waitForExecution(id);
		return { ...execution, items: itemsOf(execution, ACTION_NODE).map(({ json }) => json) };
	}

	/** Whom the service was asked to invite, one entry for each request. */
	get sent(): string[] {
		return this.service.requests.map(
			({ body }) => (body as { ext_reference_id: string }).ext_reference_id,
		);
	}
}

interface ListOptions {
	list?: string[];
	settings?: Partial<WorkflowNode>;
	options?: Record<string, unknown>;
}

const test = base.extend<{ createList: (options?: ListOptions) => Promise<InviteList> }>({
	createList: async ({ n8n, service }, use) =>
		await use(async (options) => await InviteList.create(n8n, service, options)),
});

test('a list of 20 run twice sends 20 requests', async ({ createList }) => {
	const list = await createList();
	expect((await list.run()).items).toHaveLength(SIZE);
	const again = await list.run();
	expect(again.status).toBe('success');
	expect(again.items).toEqual([]);
	expect(list.sent.sort()).toEqual(ALL.toSorted());
});

test('failed at item 7 and run again, it sends only who is missing', async ({
	createList,
	service,
}) => {
	refuseTheSeventh(service);
	const list = await createList({ options: { concurrency: 1 } });
	expect((await list.run()).data.resultData.error?.message).toContain('APP-7 (item 7)');
	const { status, items } = await list.run();
	expect(status).toBe('success');
	expect(items.map((json) => json.ext_reference_id)).toEqual(ALL.slice(6));
	expect(list.sent).toEqual([...ALL.slice(0, 7), ...ALL.slice(6)]);
});

test("n8n's Retry sends only who is missing", async ({ createList, service }) => {
	refuseTheSeventh(service);
	const list = await createList({ options: { concurrency: 1 } });
	const failed = await list.run();
	expect(failed.status).toBe('error');
	const retried = await list.retry(failed.id);
	expect(retried.mode).toBe('retry');
	expect(retried.status).toBe('success');
	expect(list.sent).toEqual([...ALL.slice(0, 7), ...ALL.slice(6)]);
});

test('Retry On Fail sends only who is missing, and outputs everybody', async ({
	createList,
	service,
}) => {
	refuseTheSeventh(service);
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
	const list = await createList({ settings, options: { concurrency: 1 } });
	const { status, items } = await list.run();
	expect(status).toBe('success');
	expect(items.map((json) => json.ext_reference_id)).toEqual(ALL);
	expect(list.sent).toEqual([...ALL.slice(0, 7), ...ALL.slice(6)]);
});

test('killed under way and run again: nobody is invited twice, everybody is accounted for', async ({
	n8n,
	environment,
}) => {
	const many = references(60);
	const concurrency = 5;
	const restartable = await startService(environment);
	const service = restartable.running;
	service.faults.inject({ route: 'createInvitation', every: 1, delayMs: 100 });
	const list = await InviteList.create(n8n, service, {
		list: many,
		options: { concurrency },
		settings: { onError: 'continueRegularOutput' },
	});
	await n8n.client.run(list.id, START);
	await expect.poll(() => list.sent.length).toBeGreaterThan(25);
	await n8n.kill();
	await n8n.restart();
	service.faults.clear();

	const { items } = await list.run();
	const invited = service.invitations.map(({ ext_reference_id }) => ext_reference_id);
	expect(new Set(invited).size, 'nobody twice').toBe(invited.length);
	expect(new Set(list.sent).size, 'nobody is even sent twice').toBe(list.sent.length);
	const unknown = items.filter(({ outcome }) => outcome === 'unknown');
	expect(items.filter(({ error }) => error)).toEqual(unknown);
	expect(unknown.length).toBeLessThanOrEqual(2 * concurrency);
	// Those who were never sent are among the unknown.
	const missing = many.filter((reference) => !invited.includes(reference));
	expect(missing.length).toBeLessThanOrEqual(unknown.length);
	await restartable.stop();
});

function references(count: number): string[] {
	return Array.from({ length: count }, (_, index) => `APP-${index + 1}`);
}

function refuseTheSeventh(service: PartnerService): void {
	service.faults.inject({
		route: 'createInvitation',
		status: 409,
		when: ({ body }) => (body as { ext_reference_id: string }).ext_reference_id === 'APP-7',
	});
}
