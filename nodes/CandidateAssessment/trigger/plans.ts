import { addressOf, type WebhookStatus } from '../actions/webhook/webhooks';
import {
	describe,
	isSameTrigger,
	receiverOf,
	offUrl,
	publishedUrl,
	testUrl,
	type Publication,
	type TriggerIdentity,
	type Webhook,
} from './registeredUrl';

/**
 * The life of the one webhook that a trigger shares with other workflows, other receivers, and its own
 * tests. Pure functions: what is registered and what should happen go in, the next requests come out. If it
 * mustn't happen, they throw an error that tells the user what to do.
 *
 *              publish            unpublish
 *   anything ──────────▶ published ────────▶ off ◀──────────┐
 *                           ▲ │               ▲ │           │
 *                  giveBack │ │ borrow        │ │ borrow    │ giveBack     (foreign: only publish;
 *                           │ ▼   unpublish   │ ▼           │               another trigger's: only borrow)
 *                          test ──────────────┘ test ───────┘
 *
 * Publishing and unpublishing end a test of the same trigger: it gets no more events, and its giveBack then has
 * nothing to put back.
 *
 * Each begins with a look, by setting the status to `active`: the service shows a webhook only in its
 * response to a change. A webhook that is published, in a test or somebody else's is usually active already;
 * one that was switched off says so in its URL and is switched off again. After a failure or a lost
 * response, everything can start over: it looks again, and does what is left to do.
 */

/** One request: sets the status, or everything else. With a random secret, nobody receives calls. */
export type Step = WebhookStatus | { webhook: Webhook; secret: 'own' | 'random' };

/**
 * Throws if another published trigger of this n8n would silently stop getting events.
 * @param isEnding whether switching off that publication is pending
 */
export function toPublish(
	now: Webhook,
	self: TriggerIdentity,
	desired: Omit<Webhook, 'url'>,
	isEnding: (publication: Publication) => boolean,
): Step[] {
	const owner = describe(beforeTest(now, self), self);
	const isOthers = owner.kind === 'published' && !isSameTrigger(owner.address, self.address);
	if (isOthers && !isEnding(owner)) {
		refuse(
			`Another published workflow uses this webhook ("${now.name}", ${owner.address}). Unpublish it, or ask the service's support for a separate webhook. If that workflow no longer exists, change the webhook's URL with 'Webhook: Update', then publish again.`,
		);
	}
	return [{ webhook: { ...desired, url: publishedUrl(self) }, secret: 'own' }, 'active'];
}

/**
 * Switches off what this trigger published with this credential, even during a test. Leaves everything
 * else alone: the trigger's own address without the query was entered by hand.
 */
export function toUnpublish(now: Webhook, self: TriggerIdentity): Step[] {
	if (describe(now, self).kind === 'off') return ['inactive'];
	const published = beforeTest(now, self);
	const before = describe(published, self);
	if (before.kind !== 'published' || receiverOf(before) !== receiverOf(self)) return [];
	// It's this trigger's to name; an update requires a name.
	const webhook = { ...published, name: published.name || 'n8n', url: offUrl(before.address) };
	return ['inactive', { webhook, secret: 'random' }];
}

/**
 * Throws if the webhook couldn't be restored after the test. An earlier test, whose n8n may have been
 * killed, is taken over, along with what it borrowed.
 * @param before as it was before any test
 */
export function toBorrow(before: Webhook, self: TriggerIdentity, events: string[]): Step[] {
	const restored = describe(before, self);
	const { address } = restored;
	// An update requires all three.
	if (!before.name || !URL.canParse(before.url) || before.events.length === 0) {
		refuse(
			`The webhook has no name, URL, or events, so n8n couldn't restore it after a test. ${PUBLISH_ONCE}`,
		);
	}
	if (restored.kind === 'published' && restored.credentialId !== self.credentialId) {
		refuse(
			`This webhook was published with a different credential (${address}). Select that credential, or publish this workflow with the current one.`,
		);
	}
	if (restored.kind !== 'off' && !(restored.kind === 'published' && restored.isTrusted)) {
		refuse(
			`The webhook points to ${address}, and n8n couldn't restore it after a test. ${PUBLISH_ONCE} To leave that URL in place, ask the service's support for a separate webhook. If publishing doesn't help, the service shortens URLs: to test, set 'Registration' to 'Manual', and enter the Test URL in the service.`,
		);
	}
	const webhook = { name: before.name, url: testUrl(self.address, before), events };
	return [{ webhook, secret: 'own' }];
}

/** Whether the URL of a test, as the service shows it, still has all that the test has to restore. */
export function saysWhatToRestore(
	taken: Webhook,
	self: TriggerIdentity,
	borrowed: Webhook,
): boolean {
	const { url, events } = beforeTest(taken, self);
	return url === borrowed.url && isSameSet(events, borrowed.events);
}

/** Puts back what a test borrowed, unless somebody else has taken over the webhook in the meantime. */
export function toGiveBack(now: Webhook, self: TriggerIdentity, borrowed: Webhook): Step[] {
	if (describe(now, self).kind === 'off') return ['inactive'];
	// n8n's address is as configured; the service shows it in normalized form.
	const isOwnTest = addressOf(now.url) === addressOf(self.address);
	return isOwnTest ? toRestore(borrowed, self) : [];
}

/** Puts back what could be borrowed. */
export function toRestore(borrowed: Webhook, self: TriggerIdentity): Step[] {
	return describe(borrowed, self).kind === 'off'
		? [{ webhook: borrowed, secret: 'random' }, 'inactive']
		: [{ webhook: borrowed, secret: 'own' }];
}

const PUBLISH_ONCE =
	"Publish this workflow once, then test. If it's already published, unpublish it first.";

/** There is no way to look at a webhook without setting its status. */
function refuse(advice: string): never {
	throw new Error(
		`${advice} Checking the webhook turned it on. If it should be off, use 'Webhook: Set Status'.`,
	);
}

/** The webhook as it was before a test, if it's borrowed for one. */
export function beforeTest(now: Webhook, self: TriggerIdentity): Webhook {
	const registered = describe(now, self);
	return registered.kind === 'test' ? { ...now, ...registered.borrowed } : now;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
	return String([...one].sort()) === String([...other].sort());
}
