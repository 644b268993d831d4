import { addressOf, type WebhookStatus, type WebhookUpdate } from '../actions/webhook/webhooks';
import {
	describeUrl,
	hasFormOf,
	offUrl,
	publishedUrl,
	testUrl,
	type Registered,
} from './registeredUrl';

/**
 * The life of the one webhook that a trigger shares with other workflows, other receivers, and its own
 * tests. Pure: what is registered and what is to happen go in, the next requests come out.
 *
 *              publish            unpublish
 *   anything ──────────▶ published ────────▶ off
 *                           ▲ │        ▲      ▲ │
 *                  giveBack │ │ borrow │      │ │ borrow
 *                           │ ▼        │      │ ▼
 *                          test ───────┘      test       (foreign: only publish, or borrow with takeOver;
 *                               unpublish                 unmarked: only publish)
 *
 * All but publish look first, by setting the status to `active`: the service shows a webhook only in its
 * response to a change. What is published, in a test or somebody else's is usually active already; what
 * was switched off says so in its URL and is switched off again. After a failure, and after a response
 * that got lost, everything can be done again from the start: it looks, and does what is left to do.
 */

/** What the service shows of a webhook. */
export type Webhook = Omit<WebhookUpdate, 'secret'>;

/** One request that changes the webhook. */
export type Step =
	/** @param secret the trigger's own; or a random one, where its own must not go */
	| { kind: 'update'; webhook: Webhook; secret: 'own' | 'random' }
	| { kind: 'setStatus'; status: WebhookStatus };

/** The trigger that acts. */
export interface TriggerIdentity {
	/** This node's production address, or its test address if a test acts. */
	address: string;
	credentialId: string;
}

/** Why a webhook is not borrowed, and the address that it leads to. */
export interface Obstacle {
	reason: 'foreign' | 'unmarked' | 'incomplete' | 'otherCredential' | 'busy' | 'altered';
	address: string;
}

/** n8n ends a test after two minutes. A test that n8n was killed in counts as running for as long. */
const TEST_LASTS_MS = 120_000;

export function planPublish(self: TriggerIdentity, desired: Omit<Webhook, 'url'>): Step[] {
	const url = publishedUrl(self.address, self.credentialId);
	return [update({ ...desired, url }), setStatus('active')];
}

/**
 * Switches off what this trigger published with this credential, during a test too. Leaves alone what
 * belongs to others: an own address without the query was entered by hand.
 */
export function planUnpublish(now: Webhook, self: TriggerIdentity): Step[] {
	const registered = describe(now, self);
	if (registered.kind === 'off') return [setStatus('inactive')];
	const published = registered.kind === 'test' ? { ...now, ...registered.borrowed } : now;
	const before = describe(published, self);
	const isOwn =
		before.kind === 'published' && isAt(before, self) && before.credentialId === self.credentialId;
	if (!isOwn) return [];
	return [setStatus('inactive'), update({ ...published, url: offUrl(before.address) }, 'random')];
}

/** Either the requests that borrow the webhook for a test, or why it cannot be borrowed. */
export function planBorrow(
	now: Webhook,
	self: TriggerIdentity,
	events: string[],
	{ takeOver, time }: { takeOver: boolean; time: number },
): Step[] | Obstacle {
	const registered = describe(now, self);
	const isOthersTest = registered.kind === 'test' && !isAt(registered, self);
	if (isOthersTest && registered.until > time) {
		return { reason: 'busy', address: registered.address };
	}
	// A test whose n8n was killed is taken over, with all that it has borrowed.
	const { url, events: before } = registered.kind === 'test' ? registered.borrowed : now;
	const restored = describe({ url }, self);
	const { address } = restored;
	if (!URL.canParse(url) || before.length === 0) return { reason: 'incomplete', address };
	if (restored.kind === 'unmarked') return { reason: 'unmarked', address };
	if (registered.kind === 'foreign' && !takeOver) return { reason: 'foreign', address };
	if (restored.kind === 'published' && restored.credentialId !== self.credentialId) {
		return { reason: 'otherCredential', address };
	}
	const test = testUrl(self.address, { url, events: before }, time + TEST_LASTS_MS);
	return [update({ name: now.name, url: test, events })];
}

/** Puts back what a test has borrowed, unless somebody else has taken the webhook over meanwhile. */
export function planGiveBack(now: Webhook, self: TriggerIdentity): Step[] {
	const registered = describe(now, self);
	if (registered.kind === 'off') return [setStatus('inactive')];
	if (registered.kind !== 'test' || !isAt(registered, self)) return [];
	return planRestore({ ...now, ...registered.borrowed }, self);
}

/** Makes the webhook what it was before a test. */
export function planRestore(before: Webhook, self: TriggerIdentity): Step[] {
	const { kind } = describe(before, self);
	const restore = update(before, kind === 'published' ? 'own' : 'random');
	return kind === 'off' ? [restore, setStatus('inactive')] : [restore];
}

function describe({ url }: Pick<Webhook, 'url'>, self: TriggerIdentity): Registered {
	return describeUrl(url, (address) => hasFormOf(self.address, address));
}

/** n8n hands out its address as it was configured, the service shows it in normal form. */
function isAt({ address }: Registered, self: TriggerIdentity): boolean {
	return address === addressOf(self.address);
}

function update(webhook: Webhook, secret: 'own' | 'random' = 'own'): Step {
	return { kind: 'update', webhook, secret };
}

function setStatus(status: WebhookStatus): Step {
	return { kind: 'setStatus', status };
}
