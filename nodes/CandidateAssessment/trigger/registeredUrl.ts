import { addressOf } from '../actions/webhook/webhooks';
import { UUID } from '../parameters/rules';

/**
 * The service has no endpoint to read a webhook, but shows its URL in every response. So its URL says who has it:
 * a trigger of this n8n, somebody else, or nobody.
 */

/** Registered when a workflow is unpublished, so that another one may have the webhook. */
export function unpublishedUrl(address: string): string {
	return new URL('/unpublished', address).href;
}

export function isUnpublished(url: string, ownAddress: string): boolean {
	return addressOf(url) === unpublishedUrl(ownAddress);
}

/** True for this trigger in this n8n: a copy of n8n, such as a staging server, has the same trigger at another address. */
export function isAt(url: string, ownAddress: string): boolean {
	return addressOf(url) === addressOf(ownAddress);
}

/** True for another trigger of this n8n, in any workflow. Its ID counts: n8n may have got another address. */
export function isOfAnotherTrigger(url: string, ownAddress: string): boolean {
	if (idIn(url) === undefined || idIn(url) === idIn(ownAddress)) return false;
	return new URL(url).origin === new URL(ownAddress).origin;
}

/** From "…/<UUID>/webhook". If a node has no UUID, n8n puts the workflow and the node there. */
function idIn(address: string): string | undefined {
	if (!URL.canParse(address)) return undefined;
	const [workflow, id, name] = addressOf(address).split('/').slice(-3);
	if (name !== 'webhook') return undefined;
	return UUID.test(id) ? id : `${workflow}/${id}`;
}
