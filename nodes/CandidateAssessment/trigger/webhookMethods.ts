import type { IHookFunctions } from 'n8n-workflow';
import { addressOf, eventNames, webhookId, webhookQueue } from '../actions/webhook/webhooks';
import { messageWithAdvice, toNodeError } from '../errors/toNodeError';
import type { NodeParameters } from '../parameters/NodeParameters';
import { string } from '../parameters/rules';
import { credentialIdOf, readCredentials, type ApiCredentials } from '../transport/credentials';
import { webhookSecret } from '../transport/webhookSecret';
import { inTurn } from '../utils/inTurn';
import { secretHeader } from './call';
import { startListening, stopListening } from './passOn';
import { cancel, pendingWork, runLater } from './pendingWork';
import { toPublish, toUnpublish } from './plans';
import { readParameters, registrationOf } from './properties';
import { checkAnswered, checkReachable, warningAbout } from './reachability';
import { RegisteredWebhook } from './RegisteredWebhook';
import { receiverOf, type Publication } from './registeredUrl';
import { digestOf, getStaticData } from './secret';

/** n8n publishes a changed trigger by unpublishing it first, so switching off waits. Publishing cancels it. */
const SWITCH_OFF_DELAY_MS = 5_000;

/**
 * A webhook's life leaves its traces in four places. From those that last least:
 *
 *   pendingWork.ts     from unpublishing on, ten minutes at most                  this process
 *   activations        from before a publication's first request to unpublishing  this process
 *   static data        the same time: the secret's digest                         n8n's database
 *   the webhook's URL  until the next update: what it's registered for            the service
 *
 * So after n8n was killed, unpublishing finds the static data of what was published, and everything else goes by the
 * URL (registeredUrl.ts).
 * A test leaves none: it changes nothing at the service (passOn.ts).
 */

/**
 * What this process has begun to publish (`activationOf`). There may be something to undo if it's noted here, or if
 * the static data has a digest. Up to 2.39, n8n doesn't store that if another trigger of the workflow fails.
 */
const activations = new Set<string>();

/** What n8n calls. */
export const webhookMethods = {
	default: {
		/** Up to 2.39, n8n registers published workflows again at startup, and when another main takes over. Ours survive that. */
		async checkExists(this: IHookFunctions): Promise<boolean> {
			if (!['init', 'leadershipChange'].includes(this.getActivationMode())) return false;
			const isManual = registrationOf(readParameters(this)) === 'manual';
			return isManual || getStaticData(this).secretDigest !== undefined;
		},

		/** n8n publishes, or starts a test. Throws the error for n8n to show; n8n then calls `delete`. */
		async create(this: IHookFunctions): Promise<boolean> {
			try {
				const params = readParameters(this);
				params.optional('secretHeader', secretHeader);
				checkAnswered(addressIn(this), this.getNode().name);
				const isManual = registrationOf(params) === 'manual';
				const credentials = await readCredentials(this);
				// Without a secret, no call would be accepted.
				webhookSecret(credentials, isManual ? undefined : webhookId(params));
				if (isTest(this)) startListening(this);
				else if (!isManual) await publish(this, params, credentials);
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
				else await unpublish(this, readParameters(this));
			} catch (error) {
				this.logger.warn(`The webhook wasn't changed: ${(error as Error).message}`);
			}
			return true;
		},
	},
};

/** Points the webhook to this workflow and switches it on. If that fails, n8n calls `delete`. */
async function publish(
	context: IHookFunctions,
	params: NodeParameters,
	credentials: ApiCredentials,
): Promise<void> {
	const desired = {
		name: params.optional('webhookName', string()) ?? `n8n: ${context.getWorkflow().name}`,
		events: params.required('events', eventNames),
	};
	const self = publicationBy(context);
	checkReachable(self.address, credentials.baseUrl);
	const webhook = new RegisteredWebhook(context, credentials, webhookId(params), 3);
	getStaticData(context).secretDigest = digestOf(webhook.secret());
	activations.add(activationOf(context));
	// What is added from now on undoes something newer, or this.
	const superseded = pendingWork(webhook.queue);
	await inTurn(webhook.queue, async () => {
		const isEnding = (publication: Publication) =>
			pendingWork(webhook.queue, receiverOf(publication)).length > 0;
		await webhook.apply(toPublish(await webhook.look(), self, desired, isEnding));
		cancel(superseded);
	});
	const warning = warningAbout(self.address, credentials.baseUrl);
	if (warning) context.logger.warn(warning);
}

/** Switches the webhook off in the background, if it is still this trigger's, and if a request was sent. */
async function unpublish(context: IHookFunctions, params: NodeParameters): Promise<void> {
	if (registrationOf(params) === 'manual') return;
	const isNoted = activations.delete(activationOf(context));
	const data = getStaticData(context);
	if (!isNoted && data.secretDigest === undefined) return;
	delete data.secretDigest;
	// Once the hook has returned, n8n evaluates no parameters.
	const id = webhookId(params);
	const { baseUrl } = await readCredentials(context);
	const self = publicationBy(context);
	const queue = webhookQueue(id);
	const undoes = receiverOf(self);
	cancel(pendingWork(queue, undoes));
	runLater({
		queue,
		undoes,
		delay: SWITCH_OFF_DELAY_MS,
		purpose: 'switch the webhook off',
		advice: "Set its status to inactive, or ask the service's support to do so.",
		logger: context.logger,
		run: async () => await switchOff(context, id, self, baseUrl),
	});
}

/** Switches the webhook off if it is still this publication's by then. */
async function switchOff(
	context: IHookFunctions,
	id: string,
	self: Publication,
	baseUrl: string,
): Promise<void> {
	// Read again: the token may have been replaced.
	const credentials = await readCredentials(context);
	if (credentials.baseUrl !== baseUrl) throw new Error('The credential has another Base URL now');
	// Without retries: all of this is tried again.
	const webhook = new RegisteredWebhook(context, credentials, id, 0);
	const registered = await webhook.look();
	const steps = toUnpublish(registered, self);
	await webhook.apply(steps);
	const what =
		steps.length > 0
			? 'Switched off the webhook, which pointed to'
			: 'Left the webhook unchanged at';
	context.logger.info(`${what} ${addressOf(registered.url)}`);
}

/** What this trigger publishes, or has published. */
function publicationBy(context: IHookFunctions): Publication {
	return { address: addressIn(context), credentialId: credentialIdOf(context) };
}

/** Of the test, or of production. */
function addressIn(context: IHookFunctions): string {
	return String(context.getNodeWebhookUrl('default'));
}

/**
 * A workflow at an address. Its ID counts, because n8n 1.x also calls `delete` for a copy that it can't publish, since
 * its address is taken.
 */
function activationOf(context: IHookFunctions): string {
	return `${context.getWorkflow().id} ${addressIn(context)}`;
}

/** A test runs in a copy of the workflow, which n8n never makes active. */
function isTest(context: IHookFunctions): boolean {
	return !context.getWorkflow().active;
}
