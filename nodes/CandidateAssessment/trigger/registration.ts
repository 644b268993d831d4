import type { IHookFunctions } from 'n8n-workflow';
import { eventNames } from '../actions/webhook/events';
import { webhookId } from '../actions/webhook/webhooks';
import { boolean, string } from '../parameters/rules';
import { CREDENTIAL_TYPE } from '../transport/credentials';
import { inTurn } from '../inTurn';
import { cancel, keepTrying, type BackgroundTask } from './background';
import {
	planBorrow,
	planGiveBack,
	planPublish,
	planUnpublish,
	type Obstacle,
	type Step,
	type TriggerIdentity,
	type Webhook,
} from './lifecycle';
import { describeObstacle } from './obstacles';
import { readParameters, registrationOf } from './properties';
import { RegisteredWebhook } from './RegisteredWebhook';
import { addressOf } from './registeredUrl';
import { digestOf } from './secret';
import { getStaticData } from './staticData';

/**
 * Publishing, unpublishing and tests, done at the service. `lifecycle.ts` decides which requests that
 * takes; here they are sent, again if need be, and what has to be remembered is.
 */

/** n8n publishes a changed trigger by unpublishing it first. Publishing it again cancels what waits so long. */
const REPUBLISHED_WITHIN_MS = 5_000;

/** Points the webhook to this workflow and switches it on. Throws the error that n8n is to show. */
export async function publish(context: IHookFunctions): Promise<void> {
	const params = readParameters(context);
	const self = identityOf(context);
	const desired = {
		name: params.optional('webhookName', string()) ?? `n8n: ${context.getWorkflow().name}`,
		events: params.required('events', eventNames),
	};
	const webhook = await RegisteredWebhook.open(context, webhookId(params));
	const secret = webhook.secret();
	await inTurn(webhook.key, async () => {
		await webhook.apply(planPublish(self, desired)).catch((error: Error) => {
			// n8n says why, and takes the workflow for unpublished, even if it was published before. So what
			// is pending to switch the webhook off goes on. Refused, there is nothing to switch off.
			if (webhook.mayHaveChanged) switchOff(context, webhook, self);
			throw error;
		});
		cancel(webhook.key);
	});
	if (webhook.alteredUrl !== undefined) {
		context.logger.warn(
			`The service has made ${addressOf(webhook.alteredUrl)} of the webhook's URL, and keeps no query. So the trigger can't test with this webhook, nor switch it off when the workflow is unpublished.`,
		);
	}
	getStaticData(context).secretDigest = digestOf(secret);
}

/** Switches the webhook off if it is still this trigger's. */
export async function unpublish(context: IHookFunctions): Promise<void> {
	const staticData = getStaticData(context);
	// n8n also calls this after publishing has failed.
	if (staticData.secretDigest === undefined) return;
	delete staticData.secretDigest;
	const params = readParameters(context);
	if (registrationOf(params) === 'manual') return;
	const self = identityOf(context);
	switchOff(context, await RegisteredWebhook.open(context, webhookId(params)), self);
}

function switchOff(
	context: IHookFunctions,
	webhook: RegisteredWebhook,
	self: TriggerIdentity,
): void {
	inBackground(context, webhook, self, {
		purpose: 'switch the webhook off',
		advice: 'Set its status to inactive, or ask the assessment service to do so.',
		plan: (now) => planUnpublish(now, self, Date.now()),
		done: 'The webhook is switched off',
		delay: REPUBLISHED_WITHIN_MS,
	});
}

interface Test {
	webhook: RegisteredWebhook;
	/** As it was before. */
	lent: Webhook;
}

/**
 * Webhooks that the tests of this process have borrowed, by the address where they receive. n8n forgets
 * a test when another one begins there, and a draft or a credential can change while it goes on.
 */
const tests = new Map<string, Test>();

/** Points the webhook to a test of this workflow, if it can be given back. Throws what n8n is to show. */
export async function borrow(context: IHookFunctions): Promise<void> {
	const params = readParameters(context);
	const self = identityOf(context);
	const events = params.required('events', eventNames);
	const takeOver = params.optional('takeOver', boolean) ?? false;
	const webhook = await RegisteredWebhook.open(context, webhookId(params));
	const earlier = tests.get(self.address);
	if (earlier && earlier.webhook.key !== webhook.key) await giveBack(context);

	const staticData = getStaticData(context);
	staticData.secretDigest = digestOf(webhook.secret());
	await inTurn(webhook.key, async () => {
		const now = await webhook.look().catch((error: Error) => {
			// It may have been switched on, and is to be switched off again then.
			staticData.isBorrowed = webhook.mayHaveChanged;
			throw error;
		});
		const steps = planBorrow(now, self, events, { takeOver, time: Date.now() });
		if (!Array.isArray(steps)) throw new Error(describeObstacle(steps));
		staticData.isBorrowed = true;
		tests.set(self.address, { webhook, lent: now });
		await webhook.apply(steps);
		cancel(webhook.key, self.address);
		if (webhook.alteredUrl === undefined) return;
		const obstacle: Obstacle = { reason: 'altered', address: addressOf(webhook.alteredUrl) };
		// At once: nothing else may find the webhook in a test that its URL does not show.
		await webhook.apply(planGiveBack({ ...now, url: webhook.alteredUrl }, self, now));
		throw new Error(describeObstacle(obstacle));
	});
}

/** Gives back what a test has borrowed. n8n also calls this after a test could not begin. */
export async function giveBack(context: IHookFunctions): Promise<void> {
	const self = identityOf(context);
	const staticData = getStaticData(context);
	const test = tests.get(self.address);
	if (!test && !staticData.isBorrowed) return;
	tests.delete(self.address);
	delete staticData.isBorrowed;
	// Without a test in mind it was borrowed in another process, or n8n has lost sight of it.
	const webhook =
		test?.webhook ?? (await RegisteredWebhook.open(context, webhookId(readParameters(context))));
	inBackground(context, webhook, self, {
		purpose: 'give the webhook back after a test',
		advice: 'Until it is, results go nowhere: unpublish the workflow and publish it again.',
		plan: (now) => planGiveBack(now, self, test?.lent),
		done: 'The webhook is restored after a test',
		delay: 0,
	});
}

interface Work extends Omit<BackgroundTask, 'run' | 'logger'> {
	plan(now: Webhook): Step[];
	done: string;
}

/** n8n has given out all that is needed: it does so only while it waits. */
function inBackground(
	context: IHookFunctions,
	webhook: RegisteredWebhook,
	{ address }: TriggerIdentity,
	{ plan, done, ...task }: Work,
): void {
	const patient = webhook.withoutRetries();
	const run = async (signal: AbortSignal) =>
		await inTurn(webhook.key, async () => {
			if (signal.aborted) return undefined;
			await patient.refresh();
			const now = await patient.look();
			const steps = plan(now);
			await patient.apply(steps);
			if (steps.length > 0) return done;
			return `The webhook points to ${addressOf(now.url)} and is left as it is`;
		});
	keepTrying(webhook.key, address, { ...task, run, logger: context.logger });
}

/** Throws if n8n's own address is configured in a way that nobody can call. */
function identityOf(context: IHookFunctions): TriggerIdentity {
	const address = String(context.getNodeWebhookUrl('default'));
	if (!URL.canParse(address)) {
		throw new Error(
			`n8n's own address isn't a web address: ${address}. Set n8n's environment variable N8N_WEBHOOK_URL (WEBHOOK_URL in n8n 1.x) to its full address, e.g. https://n8n.example.com/, and restart n8n.`,
		);
	}
	return {
		address,
		credentialId: String(context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? ''),
	};
}
