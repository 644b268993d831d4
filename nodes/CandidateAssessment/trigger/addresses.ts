import { addressOf } from '../actions/webhook/webhooks';
import { UUID } from '../parameters/rules';
import { isThisMachine } from '../transport/credentials';

/** Checks on addresses: can the service reach this trigger, and whose is the webhook? */

/**
 * Throws if n8n would answer 404 to every call. n8n compares a call's decoded path with the registered one, which holds
 * the node's name, escaped, if the node has no `webhookId`.
 */
export function checkAnswered(address: string, nodeName: string): void {
	const registered = lastParts(address);
	const called = URL.canParse(address) ? lastParts(new URL(address).pathname) : registered;
	if (!/%|\/\//.test(registered) && decodeURIComponent(called) === registered) return;
	throw new Error(
		`n8n wouldn't find the node "${nodeName}" when the service calls: it was imported, or created over the API, without an address of its own. Rename the node: use only letters from a to z, digits, and hyphens, such as Result-Ready. Then publish again. If that doesn't help, delete the node and add it again.`,
	);
}

/** "…/<UUID>/webhook", or "<workflow>/<node>/webhook" if the node has no UUID. */
function lastParts(address: string): string {
	return address.split('/').slice(-3).join('/');
}

/** Throws if only its own machine could call this n8n, and the service is elsewhere. */
export function checkReachable(address: string, baseUrl: string): void {
	const advice =
		'Ask your n8n administrator to set N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.30) to an address that the service can reach, e.g. https://n8n.example.com/, and to restart n8n.';
	const url = URL.canParse(address) ? new URL(address) : undefined;
	// The host in "n8n.example.com:5678" is parsed as a scheme.
	if (!url || !['http:', 'https:'].includes(url.protocol)) {
		throw new Error(
			`The address at which the service would call n8n isn't a web address: ${address}. ${advice}`,
		);
	}
	if (!isThisMachine(url) || isThisMachine(new URL(baseUrl))) return;
	throw new Error(
		`The service can't reach your n8n at ${url.origin}: for the service, that's its own machine. ${advice}`,
	);
}

/** Registered when a workflow is unpublished, so that another may have the webhook. */
export function unpublishedUrl(address: string): string {
	return new URL('/unpublished', address).href;
}

/** True at any origin: n8n's may have changed. */
export function isUnpublished(url: string): boolean {
	return URL.canParse(url) && addressOf(url) === unpublishedUrl(url);
}

/** True for another trigger of this n8n, in any workflow. Its ID counts, since n8n's address may have changed. */
export function isOfAnotherTrigger(url: string, ownAddress: string): boolean {
	if (idIn(url) === undefined || idIn(url) === idIn(ownAddress)) return false;
	return new URL(url).origin === new URL(ownAddress).origin;
}

/** From "…/<UUID>/webhook", or "…/<workflow>/<node>/webhook" if the node has no UUID. */
function idIn(address: string): string | undefined {
	if (!URL.canParse(address)) return undefined;
	const [workflow, id, name] = addressOf(address).split('/').slice(-3);
	if (name !== 'webhook') return undefined;
	return UUID.test(id) ? id : `${workflow}/${id}`;
}
