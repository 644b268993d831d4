import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { api } from './api.mts';
import { complete, isExpired, withLinks } from './candidates.mts';
import { newWebhook, resultReady, sampleJobId } from './assumptions.mts';
import { createDeliveries } from './deliveries.mts';
import { createFaults, type Faults } from './faults.mts';
import { describeApi } from './openapi.mts';
import { pages } from './pages.mts';
import { createRecorder } from './recorder.mts';
import { openStore } from './store.mts';
import { validatorCompiler } from './validate.mts';
import type {
	Delivery,
	Invitation,
	InvitationWithLinks,
	RecordedRequest,
	StoredWebhook,
} from './types.mts';

export type { Fault } from './faults.mts';
export type * from './types.mts';

/** How to start the service. All options have defaults. */
export interface PartnerServiceOptions {
	/** Defaults to 0, which picks a free port. */
	port?: number;
	/** The bearer token of the API. Defaults to a random one. */
	accessToken?: string;
	/** The ID of the webhook that exists from the start. Defaults to a random one. */
	webhookId?: string;
	/** Each webhook's purpose, as the overview shows it. The service starts with one webhook for each. */
	webhookUses?: string[];
	/** A JSON file that keeps the data between starts. */
	dataFile?: string;
	/** The clock. */
	now?: () => Date;
}

/** A running service. */
export interface PartnerService {
	/** For example http://127.0.0.1:4567, without a trailing slash. */
	readonly baseUrl: string;
	readonly accessToken: string;
	/** The ID of the webhook that existed from the start. */
	readonly webhookId: string;
	/** The ID of a job. Any other UUID works. */
	readonly sampleJobId: string;
	/** The requests to the API, oldest first. */
	readonly requests: readonly RecordedRequest[];
	/** Forgets all requests. */
	clearRequests(): void;
	readonly invitations: readonly InvitationWithLinks[];
	readonly webhooks: readonly Readonly<StoredWebhook>[];
	readonly deliveries: readonly Readonly<Delivery>[];
	/** Creates a webhook, for which the specification has no endpoint, and returns its ID. */
	createWebhook(partial?: Partial<StoredWebhook>): string;
	readonly faults: Omit<Faults, 'attach'>;
	/**
	 * Finishes an assessment as the candidate's page does, and waits for the delivery to succeed or fail.
	 * Rejects if the invitation is unknown, expired, or already finished.
	 *
	 * @returns the delivery (the first of several webhooks), or undefined if no active webhook subscribes
	 */
	finish(invitationCode: string): Promise<Delivery | undefined>;
	/** Sends a delivery again. Rejects if it is unknown or its webhook is no longer active. */
	redeliver(deliveryId: string): Promise<Delivery>;
	/** Stops at once, even with open connections, and writes the data file. */
	close(): Promise<void>;
}

/**
 * Starts the mock assessment service: the endpoints of the specification, the candidate's pages, the
 * overview page at / and fault injection at /faults. It listens on the loopback interface only.
 */
export async function startPartnerService(
	options: PartnerServiceOptions = {},
): Promise<PartnerService> {
	const now = options.now ?? (() => new Date());
	const accessToken = options.accessToken ?? randomBytes(24).toString('base64url');
	const store = openStore(options.dataFile);
	const webhookUses = options.webhookUses ?? [''];
	const webhookId = seedWebhook();
	while (store.webhooks.size < webhookUses.length) createWebhook();
	const deliveries = createDeliveries(store, now);
	const faults = createFaults();
	const recorder = createRecorder(now);
	let baseUrl = '';
	const base = () => baseUrl;

	const app = Fastify({
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		routerOptions: { maxParamLength: 500 },
	});
	app.setValidatorCompiler(validatorCompiler);
	describeApi(app, base);
	app.register(api({ store, recorder, faults, accessToken, now, base }), { prefix: '/partner' });
	const connection = { accessToken, webhookId, webhookUses };
	app.register(pages({ store, recorder, faults, finish, ...connection, now, base }));
	await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
	baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

	/** The webhook from the options, or the first in the data file, or a new one. */
	function seedWebhook(): string {
		const id = options.webhookId?.toLowerCase() ?? store.webhooks.keys().next().value;
		return id !== undefined && store.webhooks.has(id) ? id : createWebhook(id ? { id } : {});
	}

	function createWebhook(partial: Partial<StoredWebhook> = {}): string {
		const id = (partial.id ?? randomUUID()).toLowerCase();
		store.webhooks.set(id, newWebhook(now(), { ...partial, id }));
		store.changed();
		return id;
	}

	/** Finishes at once. The promise resolves when the deliveries have ended. */
	function finish(invitation: Invitation): Promise<Delivery[]> {
		complete(invitation, now());
		store.changed();
		return deliveries.dispatch(resultReady, invitation);
	}

	let closing: Promise<void> | undefined;
	async function close() {
		faults.clear();
		deliveries.close();
		await app.close();
		await store.close();
	}

	return {
		baseUrl,
		accessToken,
		webhookId,
		sampleJobId,
		requests: recorder.requests,
		clearRequests: recorder.clear,
		get invitations() {
			return [...store.invitations.values()].map((invitation) => withLinks(invitation, base()));
		},
		get webhooks() {
			return [...store.webhooks.values()];
		},
		get deliveries() {
			return [...store.deliveries.values()];
		},
		createWebhook,
		faults: { inject: faults.inject, list: faults.list, clear: faults.clear },
		async finish(invitationCode) {
			const invitation = store.invitations.get(invitationCode);
			if (!invitation) throw new Error(`No invitation has the code ${invitationCode}.`);
			if (invitation.status === 'completed')
				throw new Error('This assessment is already finished.');
			if (isExpired(invitation, now())) throw new Error('This invitation has expired.');
			return (await finish(invitation))[0];
		},
		redeliver: deliveries.redeliver,
		close: () => (closing ??= close()),
	};
}
