import type { IHookFunctions } from 'n8n-workflow';
import { withoutQuery } from '../actions/webhook/webhooks';
import { UUID } from '../parameters/rules';
import { isThisMachine } from '../transport/credentials';

// Checks on addresses: can the service reach this trigger, and who owns the webhook?

export function ownAddress(context: Pick<IHookFunctions, 'getNodeWebhookUrl'>): string {
	return String(context.getNodeWebhookUrl('default'));
}

/**
 * Throws if n8n would answer 404 to every call. n8n decodes a call's path before it looks for the route. Without the
 * node's `webhookId`, the route has the node's name, escaped, so a name that needs escaping is never found.
 */
export function checkRoutable(address: string, nodeName: string): void {
	const registered = lastParts(address);
	const called = URL.canParse(address) ? lastParts(new URL(address).pathname) : registered;
	if (!/%|\/\//.test(registered) && decodeURIComponent(called) === registered) return;
	throw new Error(
		`n8n wouldn't find the node "${nodeName}" when the service calls: it was imported, or created through the API, so it has no webhook address. Rename the node: use only letters from a to z, digits, and hyphens, such as Result-Ready. Then publish again. If that doesn't help, delete the node and add it again.`,
	);
}

/** `…/<UUID>/webhook`, or `<workflow>/<node>/webhook` if the node has no UUID. */
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

type Owner = 'thisTrigger' | 'nobody' | 'anotherTrigger' | 'elsewhere';

/** Finds the owner by the webhook's URL. On a copy of n8n, the same trigger is `elsewhere`. */
export function ownerOf(url: string, address: string): Owner {
	if (withoutQuery(url) === withoutQuery(address)) return 'thisTrigger';
	// The origin doesn't count: n8n's may have changed.
	if (URL.canParse(url) && withoutQuery(url) === unpublishedUrl(url)) return 'nobody';
	const id = triggerIdIn(url);
	if (id === undefined || id === triggerIdIn(address)) return 'elsewhere';
	const isThisN8n = URL.canParse(address) && new URL(url).origin === new URL(address).origin;
	return isThisN8n ? 'anotherTrigger' : 'elsewhere';
}

/** From `…/<UUID>/webhook`, or `…/<workflow>/<node>/webhook` if the node has no UUID. */
function triggerIdIn(address: string): string | undefined {
	if (!URL.canParse(address)) return undefined;
	const [workflow, id, name] = withoutQuery(address).split('/').slice(-3);
	if (name !== 'webhook') return undefined;
	return UUID.test(id) ? id : `${workflow}/${id}`;
}
