import type { IHookFunctions } from 'n8n-workflow';
import { eventNames } from '../actions/webhook/events';
import { addressOf, webhookId } from '../actions/webhook/webhooks';
import { inTurn } from '../inTurn';
import { boolean, string } from '../parameters/rules';
import { CREDENTIAL_TYPE, readCredentials } from '../transport/credentials';
import { keepTrying, pendingFor, type BackgroundTask } from './background';
import {
	planBorrow,
	planGiveBack,
	planPublish,
	planRestore,
	planUnpublish,
	type Step,
	type TriggerIdentity,
	type Webhook,
} from './lifecycle';
import { describeObstacle } from './obstacles';
import { readParameters } from './properties';
import { RegisteredWebhook } from './RegisteredWebhook';
import { digestOf, webhookSecret } from './secret';
import { getStaticData } from './staticData';

/**
 * Publishing, unpublishing and tests, done at the service. `lifecycle.ts` decides which requests that
 * takes; here they are sent, again if need be, and what has to be remembered is.
 */

/** n8n publishes a changed trigger by unpublishing it first: publishing cancels what waits this long. */
const UNPUBLISH_DELAY_MS = 5_000;

/** Points the webhook to this workflow and switches it on. Throws the error that n8n is to show. */
export async function publish(context: IHookFunctions): Promise<void> {
	const params = readParameters(context);
	const self = identityOf(context);
	const desired = {
		name: params.optional('webhookName', string()) ?? `n8n: ${context.getWorkflow().name}`,
		events: params.required('events', eventNames),
	};
	const webhook = await RegisteredWebhook.open(context, webhookId(params));
	const staticData = getStaticData(context);
	// Noted first: if n8n gives up waiting, this goes on, and unpublishing has to switch it off.
	staticData.secretDigest = digestOf(webhook.secret());
	await webhook
		.inTurn(async () => {
			const alteredUrl = await webhook.apply(planPublish(self, desired));
			if (alteredUrl !== undefined) {
				context.logger.warn(
					`The service has made ${addressOf(alteredUrl)} of the webhook's URL, and keeps no query. So the trigger can't test with this webhook, nor switch it off when the workflow is unpublished.`,
				);
			}
			for (const task of pendingFor(webhook.key)) task.abort();
		})
		.catch((error: Error) => {
			delete staticData.secretDigest;
			// n8n takes the workflow for unpublished now, even if it was published before. So what is pending
			// goes on, and what may have been registered is switched off.
			if (webhook.mayHaveChanged) switchOff(context, webhook, self);
			throw error;
		});
}

/** With manual registration, the trigger needs nothing but a secret. Throws `CredentialError`. */
export async function register(context: IHookFunctions): Promise<void> {
	webhookSecret(await readCredentials(context));
}

/** Switches the webhook off if it is still this trigger's. */
export async function unpublish(context: IHookFunctions): Promise<void> {
	const staticData = getStaticData(context);
	// n8n also calls this after publishing has failed.
	if (staticData.secretDigest === undefined) return;
	delete staticData.secretDigest;
	const id = webhookId(readParameters(context));
	switchOff(context, await RegisteredWebhook.open(context, id), identityOf(context));
}

function switchOff(context: IHookFunctions, webhook: RegisteredWebhook, self: TriggerIdentity) {
	inBackground(context, webhook, self, {
		purpose: 'switch the webhook off',
		advice: 'Set its status to inactive, or ask the assessment service to do so.',
		plan: planUnpublish,
		done: 'The webhook is switched off',
		delay: UNPUBLISH_DELAY_MS,
		lane: `${self.address} ${self.credentialId}`,
	});
}

/** Points the webhook to a test of this workflow, if it can be given back. Throws what n8n is to show. */
export async function borrow(context: IHookFunctions): Promise<void> {
	const params = readParameters(context);
	const self = identityOf(context);
	const events = params.required('events', eventNames);
	const takeOver = params.optional('takeOver', boolean) ?? false;
	const webhook = await RegisteredWebhook.open(context, webhookId(params));
	const staticData = getStaticData(context);
	staticData.secretDigest = digestOf(webhook.secret());
	// Not what is begun from now on: n8n may end this test before it has begun.
	const ofEarlierTests = pendingFor(webhook.key, self.address);
	await webhook.inTurn(async () => {
		staticData.isBorrowed = true;
		const before = await webhook.look();
		const steps = planBorrow(before, self, events, { takeOver, time: Date.now() });
		if (!Array.isArray(steps)) throw new Error(describeObstacle(steps));
		const alteredUrl = await webhook.apply(steps);
		for (const task of ofEarlierTests) task.abort();
		if (alteredUrl === undefined) return;
		// At once: nothing else may find the webhook in a test that its URL does not show.
		await webhook.apply(planRestore(before, self));
		throw new Error(describeObstacle({ reason: 'altered', address: addressOf(alteredUrl) }));
	});
}

/**
 * Gives back what a test has borrowed. n8n also calls this after a test could not begin, and while it
 * begins: then this waits for its turn.
 */
export async function giveBack(context: IHookFunctions): Promise<void> {
	if (getStaticData(context).isBorrowed === false) return;
	const id = webhookId(readParameters(context));
	const self = identityOf(context);
	inBackground(context, await RegisteredWebhook.open(context, id), self, {
		purpose: 'give the webhook back after a test',
		advice: 'Until it is, results go nowhere: unpublish the workflow and publish it again.',
		plan: planGiveBack,
		done: 'The webhook is restored after a test',
		delay: 0,
		lane: self.address,
	});
}

interface Work extends Omit<BackgroundTask, 'run' | 'logger'> {
	plan(now: Webhook, self: TriggerIdentity): Step[];
	done: string;
	lane: string;
}

/** Runs after the hook has returned. */
function inBackground(
	context: IHookFunctions,
	webhook: RegisteredWebhook,
	self: TriggerIdentity,
	{ plan, done, lane, ...task }: Work,
): void {
	const run = async (signal: AbortSignal) =>
		await inTurn(webhook.key, async () => {
			if (signal.aborted) return undefined;
			const attempt = await webhook.singleAttempt();
			const now = await attempt.look();
			const steps = plan(now, self);
			await attempt.apply(steps);
			return steps.length > 0 ? done : `The webhook points to ${addressOf(now.url)} and stays`;
		});
	keepTrying(webhook.key, lane, { ...task, run, logger: context.logger });
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
