import {
	addressOf,
	describeUrl,
	offUrl,
	originOf,
	publishedUrl,
	testUrl,
	type Borrowed,
	type Registered,
} from './registeredUrl';

/**
 * The life of the one webhook that a trigger shares with other workflows, other receivers, and its own
 * tests. Pure: what is registered and what is to happen go in, the next requests come out.
 *
 *              publish            unpublish
 *   anything ──────────▶ published ────────▶ off
 *                           ▲ │               ▲ │
 *                  giveBack │ │ borrow        │ │ borrow
 *                           │ ▼               │ ▼
 *                          test              test        (foreign: only publish, or borrow with takeOver)
 *
 * All but publish look first, by setting the status to `active`: the service shows a webhook only in its
 * response to a change, and what is published, in a test or somebody else's is active already. What was
 * switched off says so in its URL and is switched off again. After a failure, and after a response that
 * got lost, the same thing can be done again from the start: it looks, and does what is left to do.
 */

/** A webhook as the service shows it. Specification, "Webhook". */
export interface Webhook {
	name: string;
	url: string;
	events: string[];
}

/** One request that changes the webhook. */
export type Step =
	/** @param secret the trigger's; or one that nobody knows, for whoever is not to call it or to know it */
	| { kind: 'update'; webhook: Webhook; secret: 'own' | 'random' }
	| { kind: 'setStatus'; status: 'active' | 'inactive' };

/** The trigger that acts. */
export interface Self {
	/** This node's own: of production, or of tests if it is a test that acts. */
	address: string;
	/** Where it may be registered for production, even if n8n has another address by now. */
	publishedAddresses?: readonly string[];
	credentialId: string;
}

/** Why a webhook is not borrowed, and the address that it leads to. */
export interface Obstacle {
	reason: 'foreign' | 'otherCredential' | 'busy';
	address: string;
}

/** n8n ends a test after two minutes. One that n8n was killed in counts as going on for as long. */
const TEST_LASTS_MS = 120_000;

export function publishing(self: Self, desired: Omit<Webhook, 'url'>): Step[] {
	const url = publishedUrl(self.address, self.credentialId);
	return [update({ ...desired, url }), setStatus('active')];
}

/** n8n has started: registers what no longer is, but takes nothing from whoever came after. */
export function resuming(now: Webhook, self: Self, desired: Omit<Webhook, 'url'>): Step[] {
	const registered = describe(now, self);
	const own = registered.kind === 'test' ? registered.borrowed.url : now.url;
	if (!isOwn(own, self)) return registered.kind === 'off' ? [setStatus('inactive')] : [];
	const isInPlace = registered.kind === 'published' && isAt(registered, self);
	return isInPlace ? [] : publishing(self, desired);
}

export function unpublishing(now: Webhook, self: Self, time: number): Step[] {
	const registered = describe(now, self);
	switch (registered.kind) {
		case 'off':
			return [setStatus('inactive')];
		case 'test': {
			const { address, borrowed, until } = registered;
			if (!isOwn(borrowed.url, self) || isOff(borrowed, self)) return [];
			if (until < time) return switchingOff({ name: now.name, ...borrowed });
			// The test goes on, and gives back a webhook that is off.
			const off = { ...borrowed, url: offUrl(addressOf(borrowed.url)) };
			return [update({ ...now, url: testUrl(address, off, until) })];
		}
		case 'published':
		case 'foreign':
			// Foreign includes what was registered at an address that n8n no longer has.
			return isOwn(now.url, self) ? switchingOff(now) : [];
	}
}

function switchingOff(webhook: Webhook): Step[] {
	const off = { ...webhook, url: offUrl(addressOf(webhook.url)) };
	return [setStatus('inactive'), update(off, 'random')];
}

/** Either the requests that borrow the webhook for a test, or why it cannot be borrowed. */
export function borrowing(
	now: Webhook,
	self: Self,
	events: string[],
	{ takeOver, time }: { takeOver: boolean; time: number },
): Step[] | Obstacle {
	const registered = describe(now, self);
	const isOthersTest = registered.kind === 'test' && !isAt(registered, self);
	if (isOthersTest && registered.until > time) {
		return { reason: 'busy', address: registered.address };
	}
	// What a test left behind, whose n8n was killed, is borrowed on.
	const borrowed = registered.kind === 'test' ? registered.borrowed : now;
	const lender = registered.kind === 'test' ? describe(borrowed, self) : registered;
	if (registered.kind === 'foreign' && !takeOver) {
		return { reason: 'foreign', address: registered.address };
	}
	if (lender.kind === 'published' && lender.credentialId !== self.credentialId) {
		return { reason: 'otherCredential', address: lender.address };
	}
	const { url, events: before } = borrowed;
	const test = testUrl(self.address, { url, events: before }, time + TEST_LASTS_MS);
	return [update({ name: now.name, url: test, events })];
}

/** Puts back what a test has borrowed, unless somebody else has taken the webhook over meanwhile. */
export function givingBack(now: Webhook, self: Self): Step[] {
	const registered = describe(now, self);
	if (registered.kind === 'off') return [setStatus('inactive')];
	if (registered.kind !== 'test' || !isAt(registered, self)) return [];
	const { borrowed } = registered;
	const isOurs = describe(borrowed, self).kind === 'published';
	const restore = update({ name: now.name, ...borrowed }, isOurs ? 'own' : 'random');
	return isOff(borrowed, self) ? [restore, setStatus('inactive')] : [restore];
}

function describe({ url }: Borrowed, { address }: Self): Registered {
	return describeUrl(url, originOf(address) ?? '');
}

/** True for the address of this trigger's production, whatever its query says. */
function isOwn(url: string, { address, publishedAddresses = [] }: Self): boolean {
	return [address, ...publishedAddresses].map(addressOf).includes(addressOf(url));
}

/** n8n hands out its address as it was configured, the service shows it in normal form. */
function isAt({ address }: Registered, self: Self): boolean {
	return address === addressOf(self.address);
}

function isOff(borrowed: Borrowed, self: Self): boolean {
	return describe(borrowed, self).kind === 'off';
}

function update(webhook: Webhook, secret: 'own' | 'random' = 'own'): Step {
	return { kind: 'update', webhook, secret };
}

function setStatus(status: 'active' | 'inactive'): Step {
	return { kind: 'setStatus', status };
}
