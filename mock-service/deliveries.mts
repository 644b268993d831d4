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

/** How much of a receiver's answer is kept. */
const keptOfAnswer = 300;

/** Calls webhooks (specification, "Events"), and records every call. */
export interface Deliveries {
	/** Tells every active webhook that subscribes to the event. Never rejects: a failure is in the record. */
	announce(event: string, invitation: Invitation): Promise<Delivery[]>;
	/** Sends an earlier delivery's payload again, to the webhook's present URL with its present secret. */
	again(deliveryId: string): Promise<Delivery>;
	/** Gives up the calls that are under way. */
	close(): void;
}

/** Whether this webhook is called at all: active, and not deleted. */
export const isCalled = (webhook: StoredWebhook) => webhook.status === 'active' && !isGone(webhook);

export function createDeliveries(store: Store, now: () => Date): Deliveries {
	const closing = new AbortController();

	async function send(
		webhook: StoredWebhook,
		what: Pick<Delivery, 'invitation_code' | 'event' | 'payload' | 'repeat_of'>,
	): Promise<Delivery> {
		const delivery: Delivery = {
			...what,
			id: randomUUID(),
			webhook_id: webhook.id,
			url: webhook.url,
			sent_at: now().toISOString(),
			duration_ms: null,
			status: null,
			error: null,
			answer: null,
		};
		store.deliveries.set(delivery.id, delivery);
		store.changed();

		const started = performance.now();
		Object.assign(delivery, await call(webhook, delivery.payload, closing.signal));
		delivery.duration_ms = Math.round(performance.now() - started);
		store.changed();
		return delivery;
	}

	return {
		announce(event, invitation) {
			const payload = deliveryPayload(event, invitation, now());
			const { invitation_code } = invitation;
			const webhooks = [...store.webhooks.values()].filter(
				(webhook) => isCalled(webhook) && webhook.events.includes(event),
			);
			return Promise.all(
				webhooks.map((webhook) =>
					send(webhook, { invitation_code, event, payload, repeat_of: null }),
				),
			);
		},
		async again(deliveryId) {
			const earlier = store.deliveries.get(deliveryId);
			if (!earlier) throw new Error(`There is no delivery ${deliveryId}.`);
			const webhook = store.webhooks.get(earlier.webhook_id);
			if (!webhook || !isCalled(webhook)) {
				throw new Error('The webhook of this delivery is not active any more.');
			}
			const { invitation_code, event, payload } = earlier;
			return await send(webhook, { invitation_code, event, payload, repeat_of: earlier.id });
		},
		close: () => closing.abort(),
	};
}

/** POSTs the payload once. Only a status or an error's name comes back, never the secret. */
async function call(
	{ url, secret }: StoredWebhook,
	payload: Delivery['payload'],
	closing: AbortSignal,
): Promise<Pick<Delivery, 'status' | 'error' | 'answer'>> {
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
		const answer = await response.text();
		return { status: response.status, error: null, answer: answer.slice(0, keptOfAnswer) };
	} catch (error) {
		return { status: null, error: reason(error), answer: null };
	}
}

/** The system's code of an error, such as ECONNREFUSED, else its name, such as TimeoutError. */
function reason(error: unknown): string {
	const { name, cause } = error as Error;
	return (cause as NodeJS.ErrnoException | undefined)?.code ?? name;
}
