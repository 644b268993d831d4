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
class TriggerSetup {
	service!: PartnerService;
	clock!: VirtualClock;
	network!: Network;
	n8n!: SimulatedN8n;
	webhookId!: string;

	begin(): void {
		this.clock = useVirtualTime();
		this.network = new Network(this.service, this.clock);
		this.network.tokens.add(TOKEN);
		this.webhookId = this.service.createWebhook();
		this.restartAs('2.41');
		this.service.clearRequests();
	}

	/** A new n8n, such as one of the other line. */
	restartAs(line: '2.41' | '1.123'): void {
		const { baseUrl } = this.service;
		this.n8n = new SimulatedN8n(line, this.network, this.clock, loadTrigger);
		this.n8n.credentials.set('A', { baseUrl, accessToken: TOKEN, webhookSecret: '' });
	}

	/** As the service has it. */
	readonly webhook = (): StoredWebhook =>
		this.service.webhooks.find(({ id }) => id === this.webhookId)!;

	/** A workflow on the webhook; `parameters` and those in its options are added to it. */
	workflow(parameters: INodeParameters = {}, options: INodeParameters = {}): SimulatedWorkflow {
		return this.n8n.createWorkflow({
			workflowName: 'Results',
			credentialId: 'A',
			parameters: { webhookId: this.webhookId, events: [EVENT], options, ...parameters },
		});
	}

	/** The same, published. */
	async publishedWorkflow(parameters?: INodeParameters, options?: INodeParameters) {
		const workflow = this.workflow(parameters, options);
		await this.settled(this.n8n.publish(workflow));
		return workflow;
	}

	/** Waits for n8n, in virtual time. Rejects like it. */
	readonly settled = async <T,>(work: Promise<T>): Promise<T> =>
		(await this.clock.until(work)) as Awaited<T>;

	/** Unpublishes, and waits until what follows it in the background had time for it. */
	async unpublish(workflow: SimulatedWorkflow): Promise<void> {
		await this.settled(this.n8n.unpublish(workflow));
		await this.clock.pass(5_000);
	}

	/** The error that n8n shows. */
	readonly errorOf = async (work: Promise<unknown>): Promise<Error> => {
		const settled = work.then(
			() => undefined,
			(error: Error) => error,
		);
		const error = await this.clock.until(settled);
		if (!error) throw new Error('n8n shows no error');
		return error;
	};

	/** A receiver outside n8n that the webhook points to. */
	pointElsewhere(more: Partial<StoredWebhook> = {}): StoredWebhook {
		return Object.assign(this.webhook(), {
			url: 'https://elsewhere.example.com/results?key=private',
			name: 'Elsewhere',
			secret: 'the secret of somebody else',
			status: 'active',
			...more,
		});
	}

	/** The service calls the webhook's URL; undefined if it is off, or nobody receives the call. */
	async deliver(): Promise<Answer | undefined> {
		const { status, url, secret } = this.webhook();
		if (status !== 'active') return undefined;
		const headers: Array<[string, string]> = [['X-Webhook-Secret', String(secret)]];
		return await this.settled(this.n8n.call(url, { headers, body: { event: EVENT } }));
	}

	/** Method, path below the webhook, and body of what the service was sent. */
	readonly requests = (): unknown[] =>
		this.service.requests.map(({ method, path, body }) => {
			const below = path.replace(`/partner/v1.0/webhooks/${this.webhookId}`, '');
			return [method, below, body];
		});
}

export function setUpTrigger(): TriggerSetup {
	const setup = new TriggerSetup();
	beforeAll(async () => {
		setup.service = await startPartnerService();
	});
	beforeEach(() => setup.begin());
	afterEach(() => {
		expect(setup.n8n.thrownInDelete).toEqual([]);
		jest.restoreAllMocks();
	});
	afterAll(async () => await setup.service.close());
	return setup;
}

/** The secret that the trigger is to derive. */
export function derivedSecret(webhookId: string, accessToken = TOKEN): string {
	return createHmac('sha256', accessToken).update(webhookId).digest('hex');
}

export function digest(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}

/** A URL without its query, and a slash that a service has added. */
export function addressOf(url: string): string {
	return url.split('?')[0].replace(/\/$/, '');
}
