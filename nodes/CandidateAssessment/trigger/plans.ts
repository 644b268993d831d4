import type { WebhookStatus } from '../actions/webhook/webhooks';
import {
	isOff,
	isSameTrigger,
	offUrl,
	publicationIn,
	publishedUrl,
	receiverOf,
	type Publication,
	type Webhook,
} from './registeredUrl';

/**
 * What publishing and unpublishing do with a webhook that a trigger shares with other workflows and other
 * receivers. Pure functions: what is registered goes in, the next requests come out.
 *
 *              publish            unpublish
 *   anything ──────────▶ published ────────▶ off
 *
 * Each begins with a look, by setting the status to `active`: the service shows a webhook only in its
 * response to a change. A webhook that somebody uses is usually active already; one that was switched off says
 * so in its URL and is switched off again. After a failure or a lost response, everything can start over: it
 * looks again, and does what is left to do.
 */

/** One request: sets the status, or everything else. With a random secret, nobody receives calls. */
export type Step = WebhookStatus | { webhook: Webhook; secret: 'own' | 'random' };

/**
 * Throws if another published trigger of this n8n would silently stop getting events.
 * @param isEnding whether switching off that publication is pending
 */
export function toPublish(
	{ name, url }: Webhook,
	self: Publication,
	desired: Omit<Webhook, 'url'>,
	isEnding: (publication: Publication) => boolean,
): Step[] {
	const current = publicationIn(url, self.address);
	if (current && !isSameTrigger(current.address, self.address) && !isEnding(current)) {
		throw new Error(
			`Another published workflow uses this webhook ("${name}", ${current.address}). Unpublish it, or ask the service's support for a separate webhook; if that workflow no longer exists, change the webhook's URL with 'Webhook: Update'.`,
		);
	}
	return [{ webhook: { ...desired, url: publishedUrl(self) }, secret: 'own' }, 'active'];
}

/**
 * Switches off what this trigger published with this credential. Leaves everything else alone: the
 * trigger's own address without the query was entered by hand.
 */
export function toUnpublish(registered: Webhook, self: Publication): Step[] {
	const { name, url } = registered;
	if (isOff(url)) return ['inactive'];
	const current = publicationIn(url, self.address);
	if (!current || receiverOf(current) !== receiverOf(self)) return [];
	// It's this trigger's to name; an update requires a name.
	const webhook = { ...registered, name: name || 'n8n', url: offUrl(current.address) };
	return ['inactive', { webhook, secret: 'random' }];
}
