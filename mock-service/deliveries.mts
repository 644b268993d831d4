import { randomUUID } from 'node:crypto';
import {
	deliveryPayload,
	deliveryRedirect,
	deliveryTimeoutMs,
	isGone,
	secretHeader,
} from './assumptions.mts';
import type { Store } from './store.mts';
import type { Delivery, Invitation, StoredWebhook } from './types.mts';

/** How much of a receiver's response is kept. */
const maxResponseLength = 300;

/** Calls webhooks (specification, "Events"), and records every call. */
export interface Deliveries {
	/** Sends an event to every active webhook that subscribes to it. Never rejects: the record holds any failure. */
	dispatch(event: string, invitation: Invitation): Promise<Delivery[]>;
	/**
	 * Sends the payload of an earlier delivery again, to the webhook's current URL with its current secret.
	 * Rejects if the delivery is unknown or its webhook is no longer active.
	 */
	redeliver(deliveryId: string): Promise<Delivery>;
	/** Aborts the calls in flight. */
	close(): void;
}

/** Whether a webhook receives deliveries. */
const isActive = (webhook: StoredWebhook) => webhook.status === 'active' && !isGone(webhook);

export function createDeliveries(store: Store, now: () => Date): Deliveries {
	const closing = new AbortController();

	async function send(
		webhook: StoredWebhook,
		details: Pick<Delivery, 'invitation_code' | 'event' | 'payload'>,
	): Promise<Delivery> {
		const delivery: Delivery = {
			...details,
			id: randomUUID(),
			webhook_id: webhook.id,
			url: webhook.url,
			sent_at: now().toISOString(),
			status: null,
			error: null,
			response: null,
		};
		store.deliveries.set(delivery.id, delivery);
		store.changed();

		Object.assign(delivery, await call(webhook, delivery.payload, closing.signal));
		store.changed();
		return delivery;
	}

	return {
		dispatch(event, invitation) {
			const payload = deliveryPayload(event, invitation, now());
			const { invitation_code } = invitation;
			const webhooks = [...store.webhooks.values()].filter(
				(webhook) => isActive(webhook) && webhook.events.includes(event),
			);
			return Promise.all(
				webhooks.map((webhook) => send(webhook, { invitation_code, event, payload })),
			);
		},
		async redeliver(deliveryId) {
			const earlier = store.deliveries.get(deliveryId);
			if (!earlier) throw new Error(`No delivery has the ID ${deliveryId}.`);
			const webhook = store.webhooks.get(earlier.webhook_id);
			if (!webhook || !isActive(webhook)) {
				throw new Error('The webhook of this delivery is no longer active.');
			}
			const { invitation_code, event, payload } = earlier;
			return await send(webhook, { invitation_code, event, payload });
		},
		close: () => closing.abort(),
	};
}

/** POSTs the payload once. Returns what the receiver said or why it could not be reached, never the secret. */
async function call(
	{ url, secret }: StoredWebhook,
	payload: Delivery['payload'],
	closing: AbortSignal,
): Promise<Pick<Delivery, 'status' | 'error' | 'response'>> {
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				...(secret === null ? {} : { [secretHeader]: secret }),
			},
			body: JSON.stringify(payload),
			redirect: deliveryRedirect,
			signal: AbortSignal.any([closing, AbortSignal.timeout(deliveryTimeoutMs)]),
		});
		const text = await response.text();
		return { status: response.status, error: null, response: text.slice(0, maxResponseLength) };
	} catch (error) {
		return { status: null, error: errorCode(error), response: null };
	}
}

/** The system error code, such as ECONNREFUSED, or else the name of the error, such as TimeoutError. */
function errorCode(error: unknown): string {
	const { name, cause } = error as Error;
	return (cause as NodeJS.ErrnoException | undefined)?.code ?? name;
}
