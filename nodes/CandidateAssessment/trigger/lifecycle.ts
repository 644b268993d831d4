import {
	addressOf,
	describeUrl,
	hasFormOf,
	offUrl,
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
 *                          test              test        (foreign: only publish, or borrow with takeOver;
 *                                                         unmarked: only publish)
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
	/** @param secret the trigger's; or one that nobody knows, for a receiver that is not to call or to know it */
	| { kind: 'update'; webhook: Webhook; secret: 'own' | 'random' }
	| { kind: 'setStatus'; status: 'active' | 'inactive' };

/** The trigger that acts. */
export interface TriggerIdentity {
	/** This node's own: of production, or of tests if it is a test that acts. */
	address: string;
	credentialId: string;
}

/** Why a webhook is not borrowed, and the address that it leads to. */
export interface Obstacle {
	reason: 'foreign' | 'unmarked' | 'incomplete' | 'otherCredential' | 'busy' | 'altered';
	address: string;
}

/** n8n ends a test after two minutes. One that n8n was killed in counts as going on for as long. */
const TEST_LASTS_MS = 120_000;

export function planPublish(self: TriggerIdentity, desired: Omit<Webhook, 'url'>): Step[] {
	const url = publishedUrl(self.address, self.credentialId);
	return [update({ ...desired, url }), setStatus('active')];
}

/** An own address without the query was entered by hand, and stays. */
export function planUnpublish(now: Webhook, self: TriggerIdentity, time: number): Step[] {
	const registered = describe(now, self);
	switch (registered.kind) {
		case 'off':
			return [setStatus('inactive')];
		case 'published':
			return isAt(registered, self) ? switchOff(now) : [];
		case 'test': {
			const { address, borrowed, until } = registered;
			const lender = describe(borrowed, self);
			if (lender.kind !== 'published' || !isAt(lender, self)) return [];
			if (until < time) return switchOff({ name: now.name, ...borrowed });
			// The test goes on, and gives back a webhook that is off.
			const off = { ...borrowed, url: offUrl(lender.address) };
			return [update({ ...now, url: testUrl(address, off, until) })];
		}
		case 'unmarked':
		case 'foreign':
			return [];
	}
}

function switchOff(webhook: Webhook): Step[] {
	const off = { ...webhook, url: offUrl(addressOf(webhook.url)) };
	return [setStatus('inactive'), update(off, 'random')];
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
	const lender = describe({ url }, self);
	const { address } = lender;
	if (!URL.canParse(url) || before.length === 0) return { reason: 'incomplete', address };
	if (lender.kind === 'unmarked') return { reason: 'unmarked', address };
	if (registered.kind === 'foreign' && !takeOver) return { reason: 'foreign', address };
	if (lender.kind === 'published' && lender.credentialId !== self.credentialId) {
		return { reason: 'otherCredential', address };
	}
	const test = testUrl(self.address, { url, events: before }, time + TEST_LASTS_MS);
	return [update({ name: now.name, url: test, events })];
}

/**
 * Puts back what a test has borrowed, unless somebody else has taken the webhook over meanwhile.
 * @param lent what is remembered of it, where the service has cut the URL that says so
 */
export function planGiveBack(now: Webhook, self: TriggerIdentity, lent?: Borrowed): Step[] {
	const registered = describe(now, self);
	if (registered.kind === 'off') return [setStatus('inactive')];
	const borrowed = registered.kind === 'test' ? registered.borrowed : lent;
	if (!isAt(registered, self) || !borrowed) return [];
	const lender = describe(borrowed, self);
	const restore = update(
		{ ...borrowed, name: now.name },
		lender.kind === 'published' ? 'own' : 'random',
	);
	return lender.kind === 'off' ? [restore, setStatus('inactive')] : [restore];
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

function setStatus(status: 'active' | 'inactive'): Step {
	return { kind: 'setStatus', status };
}
