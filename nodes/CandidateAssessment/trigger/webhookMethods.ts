import { randomBytes } from 'crypto';
import type { IHookFunctions } from 'n8n-workflow';
import { addressOf, eventNames, webhookId } from '../actions/webhook/webhooks';
import { messageWithAdvice, toNodeError } from '../errors/toNodeError';
import {
	checkAnswered,
	checkReachable,
	isOfAnotherTrigger,
	isUnpublished,
	unpublishedUrl,
} from './addresses';
import { startListening, stopListening } from './passOn';
import { readParameters } from './properties';
import { digestOf, getStaticData } from './secret';
import { ServiceWebhook } from './ServiceWebhook';

/** The workflow of each address, as far as this process knows. Static data can be lost (docs/design/trigger.md). */
const publishers = new Map<string, string | undefined>();

/** n8n calls these. A test changes nothing at the service (passOn.ts). */
export const webhookMethods = {
	default: {
		/**
		 * Up to 2.39, n8n registers published workflows again at startup, and when another main takes over. The service still
		 * has their webhooks.
		 */
		async checkExists(this: IHookFunctions): Promise<boolean> {
			const mayBePublished = ['init', 'leadershipChange'].includes(this.getActivationMode());
			if (!mayBePublished || getStaticData(this).secretDigest === undefined) return false;
			publishers.set(ownAddress(this), this.getWorkflow().id);
			return true;
		},

		/** n8n publishes, or starts a test. Throws the error for n8n to show; n8n then calls `delete`. */
		async create(this: IHookFunctions): Promise<boolean> {
			try {
				checkAnswered(ownAddress(this), this.getNode().name);
				// Even a test checks the parameters and the credential.
				const webhook = await ServiceWebhook.of(this, webhookId(readParameters(this)));
				if (isTest(this)) startListening(this);
				else await publish(this, webhook);
				return true;
			} catch (error) {
				// n8n's editor shows only the message of a trigger's error, so it includes the advice.
				throw toNodeError(this, new Error(messageWithAdvice(error as Error)));
			}
		},

		/**
		 * n8n unpublishes; or a test has ended, or couldn't start. Never throws: n8n would leave the workflow's other
		 * triggers on, and couldn't start another test.
		 */
		async delete(this: IHookFunctions): Promise<boolean> {
			try {
				if (isTest(this)) stopListening(this);
				else await unpublish(this);
			} catch (error) {
				const { id } = this.getWorkflow();
				const message = `The webhook of workflow ${id} may still be on: ${(error as Error).message}`;
				const description =
					"Set its status to inactive with 'Webhook: Set Status', or ask the service's support.";
				this.logger.error(messageWithAdvice({ message, description }));
			}
			return true;
		},
	},
};

/** Points the webhook to this workflow and switches it on. Until that succeeds, nothing counts as registered. */
async function publish(context: IHookFunctions, webhook: ServiceWebhook): Promise<void> {
	const address = ownAddress(context);
	const events = readParameters(context).required('events', eventNames);
	checkReachable(address, webhook.baseUrl);
	publishers.set(address, context.getWorkflow().id);
	delete getStaticData(context).secretDigest;
	await webhook.inTurn(async () => {
		const { name, url } = await webhook.look();
		if (isOfAnotherTrigger(url, address)) {
			// `delete` must leave it alone.
			publishers.delete(address);
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
	const hasRegistered = getStaticData(context).secretDigest !== undefined;
	// n8n 1.x also calls this for a copy that it can't publish, since its address is taken.
	if (!hasRegistered && publishers.get(address) !== id) return;
	publishers.delete(address);
	delete getStaticData(context).secretDigest;
	const webhook = await ServiceWebhook.of(context, webhookId(readParameters(context)));
	await webhook.inTurn(async () => {
		const { name, url, events } = await webhook.look();
		// A copy of n8n, such as a staging server, has the same trigger at another address.
		const isOwn = addressOf(url) === addressOf(address);
		if (!isOwn && !isUnpublished(url)) {
			const message = `The webhook of workflow ${id} was left on: it points to ${addressOf(url)}`;
			// A failed publication hasn't changed where it points.
			if (hasRegistered) context.logger.warn(message);
			return;
		}
		await webhook.setStatus('inactive');
		if (!isOwn) return;
		// The next owner must not be called with this trigger's secret.
		const secret = randomBytes(32).toString('hex');
		// An update requires a name; keep the current one if there is one.
		await webhook.update({ name: name || 'n8n', url: unpublishedUrl(address), events, secret });
	});
}

function ownAddress(context: IHookFunctions): string {
	return String(context.getNodeWebhookUrl('default'));
}

/** A test runs in a copy of the workflow, which n8n never makes active. */
function isTest(context: IHookFunctions): boolean {
	return !context.getWorkflow().active;
}
