import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { api } from './api.mts';
import { complete, isExpired, withLinks } from './candidates.mts';
import { newWebhook, resultReady } from './assumptions.mts';
import { createDeliveries } from './deliveries.mts';
import { createFaults, type Faults } from './faults.mts';
import { pages } from './pages.mts';
import { createRecorder } from './recorder.mts';
import { openStore } from './store.mts';
import type {
	Delivery,
	Invitation,
	InvitationWithLinks,
	RecordedRequest,
	StoredWebhook,
} from './types.mts';

export type { FaultOrder, Faults, StandingFault } from './faults.mts';
export type * from './types.mts';

/** How to start the service. Nothing is required. */
export interface PartnerServiceOptions {
	/** 0, the default, takes a free port. */
	port?: number;
	/** The only host there is: the service is for one machine. */
	host?: '127.0.0.1';
	/** The bearer token that the API asks for. A random one if not given. */
	accessToken?: string;
	/** The ID of the webhook that is there from the start. A random one if not given. */
	webhookId?: string;
	/** A JSON file that keeps the records from one start to the next. */
	dataFile?: string;
	/** The address that links begin with, where it is not the one the service listens on. */
	publicUrl?: string;
	/** The clock. */
	now?: () => Date;
	/** How many API requests are recorded: all of them if not given. */
	maxRecordedRequests?: number;
}

/** A running service. */
export interface PartnerService {
	/** Such as http://127.0.0.1:4567, without a slash at its end. */
	readonly baseUrl: string;
	readonly accessToken: string;
	/** The ID of the webhook that was there from the start. */
	readonly webhookId: string;
	/** Every request to the API, oldest first. */
	readonly requests: readonly RecordedRequest[];
	clearRequests(): void;
	readonly invitations: readonly InvitationWithLinks[];
	readonly webhooks: readonly Readonly<StoredWebhook>[];
	readonly deliveries: readonly Readonly<Delivery>[];
	/** Makes a webhook, for which the specification has no endpoint, and gives its ID. */
	createWebhook(partial?: Partial<StoredWebhook>): string;
	readonly faults: Omit<Faults, 'attach'>;
	/**
	 * Finishes an assessment as the candidate's page does, and waits until the event was delivered or that
	 * failed. Rejects where the invitation is unknown, expired or finished.
	 *
	 * @returns the delivery (the first, with several webhooks), or undefined where no active webhook subscribes
	 */
	finish(invitationCode: string): Promise<Delivery | undefined>;
	/** Sends a delivery again. Rejects where it is unknown, or its webhook not active any more. */
	deliver(deliveryId: string): Promise<Delivery>;
	/** Stops at once, with connections still open, and writes the data file. */
	close(): Promise<void>;
}

/**
 * Starts the stand-in partner service: the five endpoints of the specification, the candidate's pages, the
 * overview at / and the orders of faults at /faults. It listens on the loopback interface only.
 */
export async function startPartnerService(
	options: PartnerServiceOptions = {},
): Promise<PartnerService> {
	const now = options.now ?? (() => new Date());
	const accessToken = options.accessToken ?? randomBytes(24).toString('base64url');
	const store = openStore(options.dataFile);
	const webhookId = seedWebhook();
	const deliveries = createDeliveries(store, now);
	const faults = createFaults(store.touched);
	const recorder = createRecorder(options.maxRecordedRequests ?? Infinity, now, store.touched);
	let baseUrl = '';
	const base = () => options.publicUrl?.replace(/\/+$/, '') ?? baseUrl;

	const app = Fastify({
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		routerOptions: { maxParamLength: 500 },
		ajv: {
			customOptions: {
				removeAdditional: false,
				coerceTypes: false,
				useDefaults: false,
				allErrors: true,
				verbose: true,
			},
		},
	});
	app.register(api({ store, recorder, faults, accessToken, now, base }), { prefix: '/partner' });
	app.register(
		pages({ store, recorder, faults, deliveries, finish, accessToken, webhookId, now, base }),
	);
	await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
	baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

	/** The webhook asked for, or the first one of the data file, or a new one. */
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

	/** Finishes at once; the promise is over when the deliveries are. */
	function finish(invitation: Invitation): Promise<Delivery[]> {
		complete(invitation, now());
		store.changed();
		return deliveries.announce(resultReady, invitation);
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
		requests: recorder.requests,
		clearRequests: recorder.clear,
		get invitations() {
			return [...store.invitations.values()].map((one) => withLinks(one, base()));
		},
		get webhooks() {
			return [...store.webhooks.values()];
		},
		get deliveries() {
			return [...store.deliveries.values()];
		},
		createWebhook,
		faults: { order: faults.order, list: faults.list, clear: faults.clear },
		async finish(invitationCode) {
			const invitation = store.invitations.get(invitationCode);
			if (!invitation) throw new Error(`There is no invitation ${invitationCode}.`);
			if (invitation.status === 'completed') throw new Error('This assessment is finished.');
			if (isExpired(invitation, now())) throw new Error('This invitation has expired.');
			return (await finish(invitation))[0];
		},
		deliver: deliveries.again,
		close: () => (closing ??= close()),
	};
}
