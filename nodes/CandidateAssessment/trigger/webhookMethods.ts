import type { IHookFunctions } from 'n8n-workflow';
import { addressOf, eventNames, webhookId } from '../actions/webhook/webhooks';
import { messageWithAdvice, toNodeError } from '../errors/toNodeError';
import type { NodeParameters } from '../parameters/NodeParameters';
import { string } from '../parameters/rules';
import { CREDENTIAL_TYPE, readCredentials } from '../transport/credentials';
import { webhookSecret } from '../transport/webhookSecret';
import { inTurn } from '../utils/inTurn';
import { secretHeader } from './call';
import { cancel, pendingWork, runLater, type PendingWork } from './pendingWork';
import * as plans from './plans';
import { readParameters, registrationOf } from './properties';
import { checkAnswered, checkReachable, warningAbout } from './reachability';
import { RegisteredWebhook } from './RegisteredWebhook';
import { receiverOf, type Publication, type TriggerIdentity, type Webhook } from './registeredUrl';
import { digestOf, getStaticData, signatureOf } from './secret';

/** n8n publishes a changed trigger by unpublishing it first, so switching off waits. Publishing cancels it. */
const SWITCH_OFF_DELAY_MS = 5_000;

/**
 * A webhook's life leaves its traces in five places. From those that last least:
 *
 *   tests              from before a test's first request until n8n ends it      this process
 *   pendingWork.ts     from then or from unpublishing on, ten minutes at most    this process
 *   activations        from before a publication's first request to unpublishing this process
 *   static data        the same time: the secret's digest; a test has its own    n8n's database
 *   the webhook's URL  until the next update: what it's registered for           the service
 *
 * So after n8n was killed, unpublishing finds static data, and everything else goes by the URL (registeredUrl.ts).
 */

/**
 * By the test's address, what gives back the webhook. It's noted before the first request: n8n also ends a
 * test that is still starting, and calls nothing if another test starts at the same address.
 */
const tests = new Map<string, PendingWork>();

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
				if (isTest(this)) endTest(this);
				const params = readParameters(this);
				params.optional('secretHeader', secretHeader);
				checkAnswered(addressIn(this), this.getNode().name);
				// With manual registration, the trigger needs nothing but a secret.
				if (registrationOf(params) === 'manual') webhookSecret(await readCredentials(this));
				else await (isTest(this) ? borrow(this, params) : publish(this, params));
				return true;
			} catch (error) {
				// n8n's editor shows only the message of a trigger's error, so it includes the advice.
				throw toNodeError(this, new Error(messageWithAdvice(error as Error)));
			}
		},

		/**
		 * n8n unpublishes; or a test has ended, couldn't start, or is still starting. Never throws: n8n would
		 * leave the workflow's other triggers on, and couldn't start another test.
		 */
		async delete(this: IHookFunctions): Promise<boolean> {
			try {
				if (isTest(this)) endTest(this);
				else await unpublish(this, readParameters(this));
			} catch (error) {
				this.logger.warn(`The webhook wasn't changed: ${(error as Error).message}`);
			}
			return true;
		},
	},
};

/** Points the webhook to this workflow and switches it on. If that fails, n8n calls `delete`. */
async function publish(context: IHookFunctions, params: NodeParameters): Promise<void> {
	const desired = {
		name: params.optional('webhookName', string()) ?? `n8n: ${context.getWorkflow().name}`,
		events: params.required('events', eventNames),
	};
	const { self, webhook } = await identify(context, params);
	getStaticData(context).secretDigest = digestOf(webhook.secret());
	activations.add(activationOf(context));
	// What is added from now on undoes something newer, or this.
	const superseded = pendingWork(webhook.queue);
	await inTurn(webhook.queue, async () => {
		const isEnding = (publication: Publication) =>
			pendingWork(webhook.queue, receiverOf(publication)).length > 0;
		const steps = plans.toPublish(await webhook.look(), self, desired, isEnding);
		await webhook.apply(steps);
		cancel(superseded);
	});
	const warning = warningAbout(self.address, webhook.credentials.baseUrl);
	if (warning) context.logger.warn(warning);
}

/** Points the webhook to a test of this workflow, if it can be restored. If that fails, n8n calls `delete`. */
async function borrow(context: IHookFunctions, params: NodeParameters): Promise<void> {
	const events = params.required('events', eventNames);
	const { self, webhook } = await identify(context, params);
	getStaticData(context).secretDigest = digestOf(webhook.secret());
	let borrowed: Webhook | undefined;
	tests.set(self.address, {
		queue: webhook.queue,
		undoes: self.address,
		delay: 0,
		purpose: 'restore the webhook after a test',
		advice: 'Until you unpublish and publish the workflow that uses it, no results arrive.',
		logger: context.logger,
		run: async () => {
			const before = borrowed;
			// Otherwise nothing was taken, though looking may have switched the webhook on.
			if (before)
				await lookAndApply(context, webhook, (now) => plans.toGiveBack(now, self, before));
		},
	});
	// Of earlier tests.
	const superseded = pendingWork(webhook.queue, self.address);
	await inTurn(webhook.queue, async () => {
		const before = plans.beforeTest(await webhook.look(), self);
		const steps = plans.toBorrow(before, self, events);
		borrowed = before;
		const [taken] = await webhook.apply(steps);
		cancel(superseded);
		if (plans.saysWhatToRestore(taken, self, before)) return;
		// At once: nothing else may find the webhook in a test that its URL doesn't show.
		await webhook.apply(plans.toRestore(before, self));
		throw new Error(
			`This service changes the webhook's URL (${addressOf(taken.url)}), so n8n couldn't restore it after a test. It has been restored. Publish the workflow and look at its executions instead, or set 'Registration' to 'Manual' and enter the Test URL in the service while you test.`,
		);
	});
}

/** Gives back what the test at this address has borrowed, in the background and after the test's own requests. */
function endTest(context: IHookFunctions): void {
	const address = addressIn(context);
	const work = tests.get(address);
	tests.delete(address);
	if (work) runLater(work);
}

/** Switches the webhook off if it is still this trigger's, and if a request was sent. */
async function unpublish(context: IHookFunctions, params: NodeParameters): Promise<void> {
	if (registrationOf(params) === 'manual') return;
	const isNoted = activations.delete(activationOf(context));
	const data = getStaticData(context);
	if (!isNoted && data.secretDigest === undefined) return;
	delete data.secretDigest;
	const { self, webhook } = await identify(context, params);
	const undoes = receiverOf(self);
	cancel(pendingWork(webhook.queue, undoes));
	runLater({
		queue: webhook.queue,
		undoes,
		delay: SWITCH_OFF_DELAY_MS,
		purpose: 'switch the webhook off',
		advice: "Set its status to inactive, or ask the service's support to do so.",
		logger: context.logger,
		run: async () => await lookAndApply(context, webhook, (now) => plans.toUnpublish(now, self)),
	});
}

/** Takes the steps for what is registered by then. */
async function lookAndApply(
	context: IHookFunctions,
	{ webhookId, credentials: { baseUrl } }: RegisteredWebhook,
	stepsFor: (now: Webhook) => plans.Step[],
): Promise<void> {
	// Reads the credential again: its token may have been replaced. Once the hook has returned, n8n evaluates no parameters.
	const credentials = await readCredentials(context);
	if (credentials.baseUrl !== baseUrl) throw new Error('The credential has another Base URL now');
	// Without retries: all of this is tried again.
	const webhook = new RegisteredWebhook(context, credentials, webhookId, 0);
	const now = await webhook.look();
	const steps = stepsFor(now);
	await webhook.apply(steps);
	const what =
		steps.length > 0
			? 'Switched off or restored the webhook, which pointed to'
			: 'Left the webhook unchanged at';
	context.logger.info(`${what} ${addressOf(now.url)}`);
}

/** The trigger and its webhook. Throws if the service couldn't call this n8n. */
async function identify(context: IHookFunctions, params: NodeParameters) {
	const id = webhookId(params);
	const credentials = await readCredentials(context);
	const address = addressIn(context);
	checkReachable(address, credentials.baseUrl);
	const self: TriggerIdentity = {
		address,
		credentialId: String(context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? ''),
		// A signature of another webhook is worth nothing.
		sign: (text) => signatureOf(`${id.toLowerCase()} ${text}`, credentials),
	};
	return { self, webhook: new RegisteredWebhook(context, credentials, id, 3) };
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
