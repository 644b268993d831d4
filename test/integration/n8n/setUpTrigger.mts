import type { INodeParameters } from 'n8n-workflow';
import { loadTrigger, useVirtualTime } from './virtualTime.mts';
import { createHash, createHmac } from 'node:crypto';
import { startPartnerService, type PartnerService } from '../../../mock-service/service.mts';
import type { StoredWebhook } from '../../../mock-service/types.mts';
import { Network } from './Network.mts';
import { SimulatedN8n, type Answer, type SimulatedWorkflow } from './SimulatedN8n.mts';
import type { VirtualClock } from './VirtualClock.mts';

export const EVENT = 'candidate_application_result_ready';
export const TOKEN = 'token-of-the-account';

/** An n8n of its own for each test, and a webhook at the mock service. */
export interface TriggerSetup {
	service: PartnerService;
	clock: VirtualClock;
	network: Network;
	n8n: SimulatedN8n;
	webhookId: string;
	/** As the service has it. */
	webhook(): StoredWebhook;
	/** A workflow on the webhook; `parameters` and those in its options are added to it. */
	workflow(parameters?: INodeParameters, options?: INodeParameters): SimulatedWorkflow;
	/** Waits for n8n, in virtual time. Rejects like it. */
	does<T>(work: Promise<T>): Promise<T>;
	/** Unpublishes, and waits until what follows it in the background had time for it. */
	unpublish(workflow: SimulatedWorkflow): Promise<void>;
	/** The error that n8n shows. */
	error(work: Promise<unknown>): Promise<{ message: string; description?: string | null }>;
	/** A receiver outside n8n that the webhook points to. */
	takenElsewhere(more?: Partial<StoredWebhook>): StoredWebhook;
	/** The service calls whom the webhook points to; undefined if nobody receives it. */
	deliver(body?: unknown): Promise<Answer | undefined>;
	/** Method, path below the webhook, and body of what the service was sent. */
	requests(): unknown[];
	/** A new n8n, such as one of the other line. */
	restartAs(line: '2.41' | '1.123'): void;
}

export function setUpTrigger(): TriggerSetup {
	const setup = {} as TriggerSetup;
	beforeAll(async () => {
		setup.service = await startPartnerService();
	});
	beforeEach(() => {
		const { service } = setup;
		setup.clock = useVirtualTime();
		setup.network = new Network(service, setup.clock);
		setup.network.tokens.add(TOKEN);
		setup.webhookId = service.createWebhook();
		setup.restartAs = (line) => {
			setup.n8n = new SimulatedN8n(line, setup.network, setup.clock, loadTrigger);
			setup.n8n.credentials.set('A', credential(service));
		};
		setup.restartAs('2.41');
		service.clearRequests();
	});
	afterEach(() => {
		expect(setup.n8n.thrownInDelete).toEqual([]);
		jest.restoreAllMocks();
	});
	afterAll(async () => await setup.service.close());

	setup.webhook = () => setup.service.webhooks.find(({ id }) => id === setup.webhookId)!;
	setup.workflow = (parameters = {}, options = {}) =>
		setup.n8n.createWorkflow({
			workflowName: 'Results',
			credentialId: 'A',
			parameters: { webhookId: setup.webhookId, events: [EVENT], options, ...parameters },
		});
	setup.does = async (work) => (await setup.clock.until(work)) as Awaited<typeof work>;
	setup.unpublish = async (workflow) => {
		await setup.does(setup.n8n.unpublish(workflow));
		await setup.clock.pass(1_000);
	};
	setup.error = async (work) => {
		const settled = work.then(
			() => undefined,
			(error: Error) => error,
		);
		const error = await setup.clock.until(settled);
		if (!error) throw new Error('n8n shows no error');
		return error;
	};
	setup.takenElsewhere = (more = {}) =>
		Object.assign(setup.webhook(), {
			url: 'https://elsewhere.example.com/results?key=private',
			name: 'Elsewhere',
			secret: 'the secret of somebody else',
			status: 'active',
			...more,
		});
	setup.deliver = async (body = { event: EVENT }) => {
		const { status, url, secret } = setup.webhook();
		if (status !== 'active') return undefined;
		const headers: Array<[string, string]> = [['X-Webhook-Secret', String(secret)]];
		return await setup.does(setup.n8n.call(url, { headers, body }));
	};
	setup.requests = () =>
		setup.service.requests.map(({ method, path, body }) => {
			const below = path.replace(`/partner/v1.0/webhooks/${setup.webhookId}`, '');
			return [method, below, body];
		});
	return setup;
}

function credential({ baseUrl }: PartnerService) {
	return { baseUrl, accessToken: TOKEN, webhookSecret: '' };
}

/** The secret that the trigger is to derive. */
export function derivedSecret(webhookId: string, accessToken = TOKEN): string {
	return createHmac('sha256', accessToken).update(webhookId).digest('hex');
}

export function digest(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}

/** A URL without its query. */
export function addressOf(url: string): string {
	return url.split('?')[0];
}
