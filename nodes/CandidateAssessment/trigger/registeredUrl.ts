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

/** Who receives from a publication: address and credential, however the service writes its URL. */
export function receiverOf({ address, credentialId }: Publication): string {
	return `${addressOf(address)} ${credentialId}`;
}

export function publishedUrl({ address, credentialId }: Publication): string {
	return withQuery(address, [
		['credential', credentialId],
		// Last, so that a truncated URL doesn't look like a publication.
		['registration', 'published'],
	]);
}

export function offUrl(address: string): string {
	return withQuery(address, [['registration', 'off']]);
}

/**
 * What a registered URL says that n8n has published; undefined if nobody has, if it was entered by hand, or if the
 * service has truncated it. Anybody can write such a query, so it counts only at an address of this n8n.
 * @param ownAddress of any trigger of this n8n
 */
export function publicationIn(url: string, ownAddress: string): Publication | undefined {
	const query = queryOf(url);
	const isPublished = query.get('registration') === 'published' && isOfThisN8n(ownAddress, url);
	if (!isPublished) return undefined;
	return { address: addressOf(url), credentialId: query.get('credential') ?? '' };
}

/** True if a workflow was unpublished and the webhook switched off: it's nobody's, whatever its address. */
export function isOff(url: string): boolean {
	return queryOf(url).get('registration') === 'off';
}

/** True for the addresses of one trigger. Its ID identifies it on any host: n8n may have got another address. */
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

function queryOf(url: string): URLSearchParams {
	return URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams();
}

function withQuery(address: string, query: Array<[string, string]>): string {
	const url = new URL(address);
	url.search = new URLSearchParams(query).toString();
	return url.href;
}
