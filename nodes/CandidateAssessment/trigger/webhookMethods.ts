import { randomBytes } from 'crypto';
import type { IHookFunctions } from 'n8n-workflow';
import { eventNames, readWebhookId, withoutQuery } from '../actions/webhook/webhooks';
import { ApiError } from '../errors/ItemError';
import { messageWithAdvice, toNodeError } from '../errors/toNodeError';
import { inOneLine } from '../utils/inOneLine';
import { checkReachable, checkRoutable, ownAddress, ownerOf, unpublishedUrl } from './addresses';
import { forgetTest, rememberTest } from './passOn';
import { digestOf, getStaticData, readParameters } from './secret';
import { ServiceWebhook } from './ServiceWebhook';

/**
 * The workflow that this process has published, or is publishing, at each address. Static data says the same by its
 * `secretDigest`, but can be lost (docs/design/trigger.md).
 */
const publishedHere = new Map<string, string | undefined>();

/** n8n calls these. A test changes nothing at the service (passOn.ts). */
export const webhookMethods = {
	default: {
		/** Up to 2.39, n8n publishes again at startup, and with a new leader. The service still has the webhooks. */
		async checkExists(this: IHookFunctions): Promise<boolean> {
			const mayBePublished = ['init', 'leadershipChange'].includes(this.getActivationMode());
			if (!mayBePublished || getStaticData(this).secretDigest === undefined) return false;
			publishedHere.set(ownAddress(this), this.getWorkflow().id);
			return true;
		},

		/** n8n publishes, or starts a test. Throws the error for n8n to show; n8n then calls `delete`. */
		async create(this: IHookFunctions): Promise<boolean> {
			try {
				checkRoutable(ownAddress(this), this.getNode().name);
				// Even a test checks the webhook ID and the credential.
				const webhook = await ServiceWebhook.of(this, readWebhookId(readParameters(this)));
				if (isTest(this)) rememberTest(this);
				else await publish(this, webhook);
				return true;
			} catch (error) {
				// n8n's editor shows only the message of a trigger's error, so it includes the advice.
				throw toNodeError(this, new Error(messageWithAdvice(error as Error), { cause: error }));
			}
		},

		/** n8n unpublishes, or a test has ended. Never throws: n8n would leave other triggers on. */
		async delete(this: IHookFunctions): Promise<boolean> {
			try {
				if (isTest(this)) forgetTest(this);
				else await unpublish(this);
			} catch (error) {
				const { id } = this.getWorkflow();
				const message = `The webhook for workflow ${id} may still be active: ${(error as Error).message}`;
				const description =
					"Set its status to inactive with 'Webhook: Set Status', or ask the service's support.";
				this.logger.error(messageWithAdvice({ message, description }));
			}
			return true;
		},
	},
};

/** Points the webhook to this workflow. The digest is stored last, so a publication that fails leaves none. */
async function publish(context: IHookFunctions, webhook: ServiceWebhook): Promise<void> {
	const address = ownAddress(context);
	const events = readParameters(context).required('events', eventNames);
	checkReachable(address, webhook.baseUrl);
	// Set first: if anything below fails, n8n calls `delete`, which then knows that the webhook is its own.
	publishedHere.set(address, context.getWorkflow().id);
	delete getStaticData(context).secretDigest;
	await webhook.exclusively(async () => {
		const { name, url } = await webhook.activateAndRead().catch((error: Error) => {
			// Without such a webhook, nothing may still be active.
			if (error instanceof ApiError && error.httpStatus === 404) publishedHere.delete(address);
			throw error;
		});
		if (ownerOf(url, address) === 'anotherTrigger') {
			// `delete` must leave it alone.
			publishedHere.delete(address);
			throw new Error(
				`Another published workflow uses this webhook ("${name}", ${url}). Unpublish it, or ask the service's support for a separate webhook; if that workflow no longer exists, change the webhook's URL with 'Webhook: Update'.`,
			);
		}
		await webhook.update({
			name: `n8n: ${context.getWorkflow().name}`,
			url: new URL(address).href,
			events,
			secret: webhook.secret,
		});
		getStaticData(context).secretDigest = digestOf(webhook.secret);
	});
}

/** Switches the webhook off, if it is still this trigger's. */
async function unpublish(context: IHookFunctions): Promise<void> {
	const address = ownAddress(context);
	const { id } = context.getWorkflow();
	const wasPublished = getStaticData(context).secretDigest !== undefined;
	// n8n 1.x also calls this for a copy that it can't publish because another workflow has its address.
	if (!wasPublished && publishedHere.get(address) !== id) return;
	publishedHere.delete(address);
	delete getStaticData(context).secretDigest;
	const webhook = await ServiceWebhook.of(context, readWebhookId(readParameters(context)));
	await webhook.exclusively(async () => {
		// Reading it switches it on.
		const { name, url, events } = await webhook.activateAndRead();
		const owner = ownerOf(url, address);
		if (owner !== 'thisTrigger' && owner !== 'nobody') {
			const message = `The webhook for workflow ${id} was left active: it points to ${inOneLine(withoutQuery(url), 200)}`;
			// A publication that failed never pointed it here, so there's nothing to report.
			if (wasPublished) context.logger.warn(message);
			return;
		}
		await webhook.setStatus('inactive');
		if (owner === 'nobody') return;
		// The next owner must not be called with this trigger's secret.
		const secret = randomBytes(32).toString('hex');
		// An update requires a name; keep the current one if there is one.
		await webhook.update({ name: name || 'n8n', url: unpublishedUrl(address), events, secret });
	});
}

/** A test runs in a copy of the workflow, which n8n never makes active. */
function isTest(context: IHookFunctions): boolean {
	return !context.getWorkflow().active;
}
