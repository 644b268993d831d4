import { addressOf, type WebhookUpdate } from '../actions/webhook/webhooks';
import { UUID } from '../parameters/rules';

/**
 * The service has no endpoint to read a webhook, but shows its URL in every response. So the query of the
 * URL that the trigger registers, which n8n ignores, says what it was registered for (docs/decisions/0008).
 * An address is a URL without its query.
 */

/** What the service shows of a webhook. */
export type Webhook = Omit<WebhookUpdate, 'secret'>;

/** A published workflow receives at this address, and verifies calls with this credential. */
export interface Publication {
	address: string;
	credentialId: string;
}

export interface TriggerIdentity extends Publication {
	/** A short digest that can't be computed without the access token. */
	sign(text: string): string;
}

/** A registered webhook, as its URL describes it. */
export type Registered =
	/** It's trusted if nobody can have entered the URL to get hold of the secret. */
	| ({ kind: 'published'; isTrusted: boolean } & Publication)
	/** The workflow was unpublished and the webhook switched off. It's nobody's. */
	| { kind: 'off'; address: string }
	/** A test receives here. */
	| { kind: 'test'; address: string; borrowed: Omit<Webhook, 'name'> }
	/** No trigger of this n8n receives here; or one does, but the URL was entered by hand or truncated by the service. */
	| { kind: 'foreign'; address: string };

/** Anybody can write such a query, so it counts only at an address of this n8n. "off" grants nothing, so it counts anywhere. */
export function describe({ url }: Webhook, self: TriggerIdentity): Registered {
	const address = addressOf(url);
	const query = URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams();
	const registration = query.get('registration');
	if (registration === 'off') return { kind: 'off', address };
	const isOurs = isOfThisN8n(self.address, url);
	const borrowed = { url: query.get('restore') ?? '', events: query.getAll('event') };
	// The editor of this n8n may be at another host.
	if (registration === 'test' && (isOurs || isOfThisN8n(self.address, borrowed.url))) {
		return { kind: 'test', address, borrowed };
	}
	const signature = query.get('signature');
	if (!isOurs || registration !== 'published' || !signature) return { kind: 'foreign', address };
	const publication = { address, credentialId: query.get('credential') ?? '' };
	// A signature made before the access token was replaced can't be checked. This trigger's own address is trusted without one.
	const isTrusted =
		signature === self.sign(receiverOf(publication)) ||
		(isSameTrigger(self.address, address) && baseOf(self.address) === baseOf(address));
	return { kind: 'published', ...publication, isTrusted };
}

/** Who receives from a publication: address and credential, however the service writes its URL. */
export function receiverOf({ address, credentialId }: Publication): string {
	return `${addressOf(address)} ${credentialId}`;
}

export function publishedUrl(self: TriggerIdentity): string {
	return withQuery(self.address, [
		['registration', 'published'],
		['credential', self.credentialId],
		['signature', self.sign(receiverOf(self))],
	]);
}

export function offUrl(address: string): string {
	return withQuery(address, [['registration', 'off']]);
}

export function testUrl(address: string, borrowed: Webhook): string {
	return withQuery(address, [
		['restore', borrowed.url],
		...borrowed.events.map((event): [string, string] => ['event', event]),
		// Last, so that a truncated URL doesn't look like one that can be restored.
		['registration', 'test'],
	]);
}

/**
 * True for the addresses of one trigger. Its ID identifies it on any host: n8n builds a test's address
 * from the editor's URL, and production's from the webhook URL.
 */
export function isSameTrigger(one: string, other: string): boolean {
	return idIn(one) !== undefined && idIn(one) === idIn(other);
}

/** True for any trigger of this n8n, in any workflow. */
function isOfThisN8n(own: string, url: string): boolean {
	if (idIn(url) === undefined) return false;
	return isSameTrigger(own, url) || new URL(own).origin === new URL(url).origin;
}

/** From "…/<UUID>/webhook". If a node has no UUID, n8n puts the workflow and the node there. */
function idIn(address: string): string | undefined {
	if (!URL.canParse(address)) return undefined;
	const [workflow, id, name] = addressOf(address).split('/').slice(-3);
	if (name !== 'webhook') return undefined;
	return UUID.test(id) ? id : `${workflow}/${id}`;
}

/** Where n8n receives: what comes before "-test/<UUID>/webhook" or "/<UUID>/webhook". */
function baseOf(address: string): string {
	return addressOf(address)
		.split('/')
		.slice(0, -2)
		.join('/')
		.replace(/-test$/, '');
}

function withQuery(address: string, query: Array<[string, string]>): string {
	const url = new URL(address);
	url.search = new URLSearchParams(query).toString();
	return url.href;
}
