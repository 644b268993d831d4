import { addressOf, type WebhookStatus, type WebhookUpdate } from '../actions/webhook/webhooks';
import { UUID } from '../parameters/rules';
import { isLoopback } from '../transport/credentials';

/**
 * The life of the one webhook that a trigger shares with other workflows, other receivers, and its own
 * tests. Pure functions: what is registered and what should happen go in, the next requests come out.
 *
 *              publish            unpublish
 *   anything ──────────▶ published ────────▶ off
 *                           ▲ │        ▲      ▲ │
 *                  giveBack │ │ borrow │      │ │ borrow
 *                           │ ▼        │      │ ▼
 *                          test ───────┘      test            (foreign, unmarked: only publish;
 *                               unpublish                      another trigger's: only borrow)
 *
 * Each begins with a look, by setting the status to `active`: the service shows a webhook only in its
 * response to a change. A webhook that is published, in a test or somebody else's is usually active already;
 * one that was switched off says so in its URL and is switched off again. After a failure or a lost
 * response, everything can start over: it looks again, and does what is left to do.
 */

/** What the service shows of a webhook. */
export type Webhook = Omit<WebhookUpdate, 'secret'>;

/**
 * A registered webhook, as its URL describes it. The service has no endpoint to read a webhook, but shows its
 * URL in every response. So the query of the URL that the trigger registers, which n8n ignores, says what
 * it was registered for (docs/decisions/0008). An address is the URL without its query.
 */
type Registered =
	/** A published workflow receives here, and verifies calls with that credential. */
	| { kind: 'published'; address: string; credentialId: string }
	/** The workflow was unpublished and the webhook switched off. It's nobody's. */
	| { kind: 'off'; address: string }
	/** A test receives here. */
	| { kind: 'test'; address: string; borrowed: Omit<Webhook, 'name'> }
	/** A trigger of this n8n receives here, but somebody entered the URL, or the service cut it. */
	| { kind: 'unmarked'; address: string }
	/** As far as can be told, no trigger of this n8n receives here. */
	| { kind: 'foreign'; address: string };

/**
 * One request that changes the webhook: its status, or everything else. The secret is the trigger's own, or
 * a random one if nobody should receive calls.
 */
export type Step = WebhookStatus | { webhook: Webhook; secret: 'own' | 'random' };

export interface TriggerIdentity {
	/** The node's production address, or its test address during a test. */
	address: string;
	credentialId: string;
}

/**
 * The requests that publish; or why not, if another published trigger of this n8n would silently stop
 * getting events.
 * @param isEnding whether what was published under a URL is about to be switched off
 */
export function publish(
	now: Webhook,
	self: TriggerIdentity,
	desired: Omit<Webhook, 'url'>,
	isEnding: (url: string) => boolean,
): Step[] | string {
	const owner = describe(beforeTest(now, self), self);
	const isOthers = owner.kind === 'published' && !isSameTrigger(owner.address, self.address);
	if (isOthers && !isEnding(publishedUrl(owner.address, owner.credentialId))) {
		return `Unpublish the workflow that has this webhook, then publish this one; or ask the assessment service for a separate webhook. This one is called "${now.name}" and belongs to ${owner.address}. If that workflow is gone, give the webhook any other URL with 'Webhook: Update', then publish again. ${MAY_BE_ON}`;
	}
	const url = publishedUrl(self.address, self.credentialId);
	return [update({ ...desired, url }), 'active'];
}

/**
 * Switches off what this trigger published with this credential, even during a test. Leaves everything
 * else alone: the trigger's own address without the query was entered by hand.
 */
export function unpublish(now: Webhook, self: TriggerIdentity): Step[] {
	if (describe(now, self).kind === 'off') return ['inactive'];
	const published = beforeTest(now, self);
	const before = describe(published, self);
	const isOwn =
		before.kind === 'published' && isAt(before, self) && before.credentialId === self.credentialId;
	if (!isOwn) return [];
	return ['inactive', update({ ...published, url: offUrl(before.address) }, 'random')];
}

/**
 * The requests that borrow the webhook for a test; or why not, if it couldn't be restored afterwards. An
 * earlier test, whose n8n may have been killed, is taken over, along with what it borrowed.
 */
export function borrow(now: Webhook, self: TriggerIdentity, events: string[]): Step[] | string {
	const before = beforeTest(now, self);
	const restored = describe(before, self);
	const { address } = restored;
	if (!URL.canParse(before.url) || before.events.length === 0) {
		return `Publish this workflow once, then test; or ask the assessment service to fill in what's missing. It has no URL or no events, so a test couldn't restore it. ${MAY_BE_ON}`;
	}
	if (restored.kind === 'foreign') {
		return `Publish this workflow once, then test. ${REPUBLISH} The webhook points to ${address}, and a test couldn't restore its secret. To keep that receiver, ask the assessment service for a separate webhook. ${MAY_BE_ON}`;
	}
	if (restored.kind === 'unmarked') {
		return `Publish this workflow once, then test. ${REPUBLISH} The webhook points to ${address}, but doesn't say what to restore after a test: that URL was entered by hand, or the service shortens URLs. If publishing doesn't help, set 'Registration' to 'Manual' and enter the Test URL at the service while you test. ${MAY_BE_ON}`;
	}
	if (restored.kind === 'published' && restored.credentialId !== self.credentialId) {
		return `Select the credential that this webhook was published with, or publish this workflow with the one selected. The webhook is in use with another credential: ${address}. After a test, that workflow couldn't recognize the service's calls.`;
	}
	return [update({ name: now.name, url: testUrl(self.address, before), events })];
}

/** Puts back what a test borrowed, unless somebody else has taken over the webhook in the meantime. */
export function giveBack(now: Webhook, self: TriggerIdentity): Step[] {
	const registered = describe(now, self);
	if (registered.kind === 'off') return ['inactive'];
	if (registered.kind !== 'test' || !isAt(registered, self)) return [];
	return restore(beforeTest(now, self), self);
}

export function restore(before: Webhook, self: TriggerIdentity): Step[] {
	const { kind } = describe(before, self);
	const restore = update(before, ['published', 'test'].includes(kind) ? 'own' : 'random');
	return kind === 'off' ? [restore, 'inactive'] : [restore];
}

/** Why the service certainly can't call this n8n, if so: only something on the same machine could. */
export function unreachable(address: string, baseUrl: string): string | undefined {
	const variable =
		"Set n8n's environment variable WEBHOOK_URL (from n8n 2.30 on N8N_WEBHOOK_URL) to the address at which the assessment service can reach n8n, e.g. https://n8n.example.com/, and restart n8n.";
	if (!URL.canParse(address)) return `${variable} Its value isn't a web address: ${address}`;
	const isLocal = isLoopback(new URL(address)) || ANY_INTERFACE.test(new URL(address).hostname);
	if (!isLocal || isLoopback(new URL(baseUrl))) return undefined;
	return `${variable} Now it's ${new URL(address).origin}, where the service would find itself. For a test, N8N_EDITOR_BASE_URL takes precedence over WEBHOOK_URL.`;
}

/** N8N_HOST is often set to the address that n8n listens on. */
const ANY_INTERFACE = /^(0\.0\.0\.0|\[::\])$/;

const REPUBLISH = "If it's already published, unpublish it first.";

/** There is no way to look at a webhook without setting its status. */
const MAY_BE_ON = "If the webhook was off, it's on now.";

/** The webhook as it was before a test, if it's borrowed for one. */
function beforeTest(now: Webhook, self: TriggerIdentity): Webhook {
	const registered = describe(now, self);
	return registered.kind === 'test' ? { ...now, ...registered.borrowed } : now;
}

/** n8n's address is as configured; the service shows it in normal form. */
function isAt({ address }: Registered, self: TriggerIdentity): boolean {
	return address === addressOf(self.address);
}

function update(webhook: Webhook, secret: 'own' | 'random' = 'own'): Step {
	return { webhook, secret };
}

export function publishedUrl(address: string, credentialId: string): string {
	return withQuery(address, { registration: 'published', credential: credentialId });
}

function offUrl(address: string): string {
	return withQuery(address, { registration: 'off' });
}

function testUrl(address: string, { url, events }: Webhook): string {
	return withQuery(address, {
		restore: url,
		event: events,
		// Last, so that a URL that was cut doesn't look like one that can be restored.
		registration: 'test',
	});
}

/** Anybody can write such a query, so a receiver's counts only at an address of this n8n. */
function describe({ url }: Webhook, { address: own }: TriggerIdentity): Registered {
	const address = addressOf(url);
	const query = URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams();
	const registration = query.get('registration');
	if (registration === 'off') return { kind: 'off', address };
	const isOurs = isOfThisN8n(own, address);
	if (registration === 'test') {
		const borrowed = { url: query.get('restore') ?? '', events: query.getAll('event') };
		// The editor of this n8n may be at another host.
		if (isOurs || isOfThisN8n(own, borrowed.url)) return { kind: 'test', address, borrowed };
	}
	if (!isOurs) return { kind: 'foreign', address };
	if (registration !== 'published') return { kind: 'unmarked', address };
	return { kind: 'published', address, credentialId: query.get('credential') ?? '' };
}

/** True if the service kept the whole URL. It may order or escape the query in its own way. */
export function isSameUrl(sent: string, made: string): boolean {
	return addressOf(sent) === addressOf(made) && sortedQuery(sent) === sortedQuery(made);
}

/**
 * True for the addresses of one trigger. Its UUID identifies it on any host: n8n builds a test's address
 * from the editor's URL, and production's from the webhook URL.
 */
function isSameTrigger(one: string, other: string): boolean {
	const id = idIn(one);
	return id !== undefined && id === idIn(other) && (UUID.test(id) || isSameHost(one, other));
}

/** True for any trigger of this n8n, in any workflow. */
function isOfThisN8n(own: string, address: string): boolean {
	return (
		isSameTrigger(own, address) || (UUID.test(idIn(address) ?? '') && isSameHost(own, address))
	);
}

/** From "…/<UUID>/webhook". If a node has no UUID, n8n puts the workflow and the node there. */
function idIn(address: string): string | undefined {
	if (!URL.canParse(address)) return undefined;
	const [workflow, id, name] = addressOf(address).split('/').slice(-3);
	if (name !== 'webhook') return undefined;
	return UUID.test(id) ? id : `${workflow}/${id}`;
}

function isSameHost(one: string, other: string): boolean {
	return new URL(one).origin === new URL(other).origin;
}

function sortedQuery(url: string): string {
	return URL.canParse(url) ? [...new URL(url).searchParams].map(String).sort().join('\n') : '';
}

function withQuery(address: string, query: Record<string, string | string[]>): string {
	const url = new URL(address);
	for (const [name, value] of Object.entries(query)) {
		for (const entry of [value].flat()) url.searchParams.append(name, entry);
	}
	return url.href;
}
