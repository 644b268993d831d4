import { addressOf, type WebhookUpdate } from '../actions/webhook/webhooks';
import { UUID } from '../parameters/rules';

/**
 * The service has no endpoint to read a webhook, but shows its URL in every response. So the URL that the
 * trigger registers describes itself: its query, which n8n ignores, says what it was registered for.
 * See docs/decisions/0008.
 */

/** What to put back after a test. A test doesn't change the name. */
export type Borrowed = Pick<WebhookUpdate, 'url' | 'events'>;

/** A registered URL, as it describes itself. An address is the URL without its query. */
export type Registered =
	/** A published workflow receives here, and verifies calls with that credential. */
	| { kind: 'published'; address: string; credentialId: string }
	/** The workflow was unpublished and the webhook switched off. It's nobody's. */
	| { kind: 'off'; address: string }
	/** A test receives here. */
	| { kind: 'test'; address: string; borrowed: Borrowed }
	/** A trigger of this n8n receives here, but somebody entered the URL, or the service cut it. */
	| { kind: 'unmarked'; address: string }
	/** As far as can be told, no trigger of this n8n receives here. */
	| { kind: 'foreign'; address: string };

export function publishedUrl(address: string, credentialId: string): string {
	return withQuery(address, { registration: 'published', credential: credentialId });
}

export function offUrl(address: string): string {
	return withQuery(address, { registration: 'off' });
}

export function testUrl(address: string, { url, events }: Borrowed): string {
	return withQuery(address, {
		restore: url,
		event: events,
		// Last, so that a URL that was cut doesn't look like one that can be restored.
		registration: 'test',
	});
}

/** @param own the address of the trigger that asks. Anybody can write such a query. */
export function describeUrl(url: string, own: string): Registered {
	const address = addressOf(url);
	const query = URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams();
	const registration = query.get('registration');
	if (registration === 'off') return { kind: 'off', address };
	const isOurs = isOfThisN8n(own, address);
	if (registration === 'test') {
		const borrowed = { url: query.get('restore') ?? '', events: query.getAll('event') };
		// The editor of this n8n may be at another host.
		if (isOurs || isOfThisN8n(own, borrowed.url)) {
			return { kind: 'test', address, borrowed };
		}
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
export function isSameTrigger(one: string, other: string): boolean {
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
