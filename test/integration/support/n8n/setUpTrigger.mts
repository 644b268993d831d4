import { useVirtualTime } from './virtualTime.mts';
import { createHash } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { startPartnerService, type PartnerService } from '../../../../mock-service/service.mts';
import type { StoredWebhook } from '../../../../mock-service/types.mts';
import { derivedSecret } from '../../../support/calls.mts';
import { Network } from './Network.mts';
import { SimulatedN8n, type Answer, type Call, type SimulatedWorkflow } from './SimulatedN8n.mts';
import type { VirtualClock } from './VirtualClock.mts';

export const EVENT = 'candidate_application_result_ready';
export const TOKEN = 'token-of-the-account';

/** Sets up an n8n for each test, and a webhook at the mock service. `SimulatedN8n` acts in virtual time. */
class TriggerSetup {
	service!: PartnerService;
	clock!: VirtualClock;
	network!: Network;
	n8n!: SimulatedN8n;
	webhookId!: string;
	readonly publish = this.inTime('publish');
	readonly unpublish = this.inTime('unpublish');
	readonly listen = this.inTime('listen');
	readonly stopListening = this.inTime('stopListening');

	begin(line: '2.41' | '1.123' = '2.41'): void {
		this.clock = useVirtualTime();
		this.network = new Network(this.service, this.clock);
		this.network.tokens.add(TOKEN);
		this.webhookId = this.service.createWebhook();
		this.n8n = new SimulatedN8n(line, this.network, this.clock);
		this.n8n.credentials.set('A', { baseUrl: this.service.baseUrl, accessToken: TOKEN });
		this.service.clearRequests();
	}

	/** The secret that the trigger should derive. */
	get secret(): string {
		return derivedSecret(TOKEN, this.webhookId);
	}

	get webhook(): StoredWebhook {
		return this.service.webhooks.find(({ id }) => id === this.webhookId)!;
	}

	/** A workflow on the webhook. These parameters replace or add. */
	workflow(parameters: INodeParameters = {}): SimulatedWorkflow {
		return this.n8n.createWorkflow({
			credentialId: 'A',
			parameters: { webhookId: this.webhookId, events: [EVENT], ...parameters },
		});
	}

	async publishedWorkflow(parameters?: INodeParameters): Promise<SimulatedWorkflow> {
		const workflow = this.workflow(parameters);
		await this.publish(workflow);
		return workflow;
	}

	/** Runs n8n's actions in virtual time. */
	private inTime(what: 'publish' | 'unpublish' | 'listen' | 'stopListening') {
		return async (workflow: SimulatedWorkflow): Promise<void> => {
			await this.clock.until(this.n8n[what](workflow));
		};
	}

	async restart(): Promise<void> {
		this.n8n.kill();
		await this.clock.until(this.n8n.start());
	}

	/** Points the webhook to a receiver outside n8n. */
	pointElsewhere(more: Partial<StoredWebhook> = {}): StoredWebhook {
		return Object.assign(this.webhook, {
			url: 'https://elsewhere.example.com/results?key=private',
			name: 'Elsewhere',
			secret: 'the secret of somebody else',
			status: 'active',
			...more,
		});
	}

	async call(url: string, call: Partial<Call>): Promise<Answer | undefined> {
		return await this.clock.until(this.n8n.call(url, call));
	}

	/** The service calls the webhook's URL, unless the webhook is off. */
	async deliver(): Promise<Answer | undefined> {
		const { status, url, secret } = this.webhook;
		if (status !== 'active') return undefined;
		const headers: Call['headers'] = [['X-Webhook-Secret', String(secret)]];
		return await this.call(url, { headers, body: { event: EVENT } });
	}

	/** Method, path below the webhook, and body of each request to the service. */
	get requests(): unknown[] {
		return this.service.requests.map(({ method, path, body }) => {
			const below = path.replace(`/partner/v1.0/webhooks/${this.webhookId}`, '');
			return [method, below, body];
		});
	}
}

export function setUpTrigger(): TriggerSetup {
	const setup = new TriggerSetup();
	beforeAll(async () => {
		setup.service = await startPartnerService();
	});
	beforeEach(() => setup.begin());
	afterEach(() => {
		expect(setup.n8n.wrongs).toEqual([]);
		jest.restoreAllMocks();
	});
	afterAll(async () => await setup.service.close());
	return setup;
}

export function digest(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}

/** Returns a URL without its query or a slash that a service has added. */
export function addressOf(url: string): string {
	return url.split('?')[0].replace(/\/$/, '');
}
