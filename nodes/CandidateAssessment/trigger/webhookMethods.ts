import type {
	IDataObject,
	IHookFunctions,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { addressOf, eventNames, webhookId } from '../actions/webhook/webhooks';
import { messageWithAdvice, toNodeError } from '../errors/toNodeError';
import { inTurn } from '../inTurn';
import { boolean, string } from '../parameters/rules';
import { CREDENTIAL_TYPE, readCredentials } from '../transport/credentials';
import { forwardableHeaders, readBody, secretHeader, toItem, verifiedHeaders } from './call';
import * as plan from './lifecycle';
import { cancelPending, isPending, runLater } from './pendingWork';
import { ifValid, readParameters, registrationOf } from './properties';
import { RegisteredWebhook } from './RegisteredWebhook';
import { digestOf, getStaticData, webhookSecret } from './secret';

/** n8n publishes a changed trigger by unpublishing it first. Publishing cancels what is still waiting. */
const SWITCH_OFF_DELAY_MS = 5_000;

/** Up to 2.39, n8n registers published workflows again at startup. Our webhooks survive a restart. */
async function checkExists(this: IHookFunctions): Promise<boolean> {
	if (this.getActivationMode() !== 'init') return false;
	const isManual = registrationOf(readParameters(this)) === 'manual';
	return isManual || getStaticData(this).secretDigest !== undefined;
}

/** n8n publishes, or begins a test. Throws the error for n8n to show; n8n then calls `remove`. */
async function create(this: IHookFunctions): Promise<boolean> {
	try {
		const params = readParameters(this);
		params.optional('secretHeader', secretHeader);
		// With manual registration, the trigger needs nothing but a secret.
		if (registrationOf(params) === 'manual') webhookSecret(await readCredentials(this));
		else await (isTest(this) ? borrow(this) : publish(this));
		return true;
	} catch (error) {
		// n8n's editor shows only the message of a trigger's error, so it includes the advice.
		throw toNodeError(this, new Error(messageWithAdvice(error as Error)));
	}
}

/**
 * n8n unpublishes; or a test has ended, couldn't begin, or is still beginning. Never throws: n8n would
 * leave the workflow's other triggers on, and couldn't start another test.
 */
async function remove(this: IHookFunctions): Promise<boolean> {
	try {
		if (registrationOf(readParameters(this)) === 'manual') return true;
		await (isTest(this) ? giveBack(this) : unpublish(this));
	} catch (error) {
		this.logger.warn(`The webhook stays as it is: ${(error as Error).message}`);
	}
	return true;
}

export const hooks = { checkExists, create, delete: remove };

/**
 * The service calls. Every call that carries the secret starts the workflow: the service sends only what
 * the webhook subscribes to, and the specification doesn't show its shape. Every other call gets 401 and
 * one line in n8n's log, and starts no execution, whatever is broken on our side.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const params = readParameters(this);
	const secretHeaders = await verifiedHeaders(this, params);
	if (!secretHeaders) {
		const { id } = this.getWorkflow();
		this.logger.warn(
			`A call to the trigger of workflow ${id} was turned away: the webhook's secret is missing or wrong`,
		);
		this.getResponseObject().status(401).json({ message: 'The secret is missing or wrong' });
		return { noWebhookResponse: true };
	}
	const headers = ifValid(() => params.optional('includeHeaders', boolean))
		? forwardableHeaders(this.getHeaderData() as IDataObject, secretHeaders)
		: undefined;
	return { workflowData: [[{ json: toItem(await readBody(this), headers) }]] };
}

/** Points the webhook to this workflow and switches it on. */
async function publish(context: IHookFunctions): Promise<void> {
	const params = readParameters(context);
	const desired = {
		name: params.optional('webhookName', string()) ?? `n8n: ${context.getWorkflow().name}`,
		events: params.required('events', eventNames),
	};
	const { self, webhook } = await open(context);
	const staticData = getStaticData(context);
	// Noted first: if n8n stops waiting, this goes on, and unpublishing has to switch the webhook off.
	staticData.secretDigest = digestOf(webhook.secret());
	const register = async () => {
		const isEnding = (url: string) => isPending(webhook.key, url);
		const steps = plan.publish(await webhook.look(), self, desired, isEnding);
		const alteredUrl = await webhook.apply(steps);
		if (alteredUrl !== undefined) {
			context.logger.warn(
				`The service rewrote the webhook URL to ${addressOf(alteredUrl)} and dropped its query. So the trigger can't test with this webhook, nor switch it off when the workflow is unpublished.`,
			);
		}
		cancelPending(webhook.key);
	};
	await inTurn(webhook.key, register).catch((error: Error) => {
		delete staticData.secretDigest;
		// Up to 2.39, n8n considers the workflow unpublished now, even if it was published before. So pending work goes
		// on, and what may have been registered is switched off.
		switchOff(context, webhook, self);
		throw error;
	});
}

/** Points the webhook to a test of this workflow, if it can be restored. */
async function borrow(context: IHookFunctions): Promise<void> {
	const events = readParameters(context).required('events', eventNames);
	const { self, webhook } = await open(context);
	getStaticData(context).secretDigest = digestOf(webhook.secret());
	// Of an earlier test. If this one fails, n8n calls `remove`, which gives both back.
	cancelPending(webhook.key, self.address);
	await inTurn(webhook.key, async () => {
		const before = await webhook.look();
		const alteredUrl = await webhook.apply(plan.borrow(before, self, events));
		if (alteredUrl === undefined) return;
		// At once: nothing else may find the webhook in a test that its URL doesn't show.
		await webhook.apply(plan.restore(before, self));
		throw new Error(
			`Publish the workflow and look at its executions instead, or set 'Registration' to 'Manual' and enter the Test URL at the service while you test. The service changes the webhook's URL, so a test couldn't restore it: ${addressOf(alteredUrl)}. The webhook has been restored.`,
		);
	});
}

/** Switches the webhook off if it is still this trigger's. */
async function unpublish(context: IHookFunctions): Promise<void> {
	const staticData = getStaticData(context);
	// n8n also calls this after publishing failed.
	if (staticData.secretDigest === undefined) return;
	delete staticData.secretDigest;
	const { self, webhook } = await open(context);
	switchOff(context, webhook, self);
}

function switchOff(
	context: IHookFunctions,
	webhook: RegisteredWebhook,
	self: plan.TriggerIdentity,
): void {
	runLater({
		webhook: webhook.key,
		ends: plan.publishedUrl(addressOf(self.address), self.credentialId),
		delay: SWITCH_OFF_DELAY_MS,
		purpose: 'switch the webhook off',
		advice: 'Set its status to inactive, or ask the assessment service to do so.',
		logger: context.logger,
		run: async () => await carryOut(context, self, webhook, plan.unpublish),
	});
}

/** Gives back what a test borrowed. If the test is still beginning, waits for that. */
async function giveBack(context: IHookFunctions): Promise<void> {
	const { self, webhook } = await open(context);
	runLater({
		webhook: webhook.key,
		ends: self.address,
		delay: 0,
		purpose: 'give the webhook back after a test',
		advice: 'Results go nowhere until you unpublish the workflow and publish it again.',
		logger: context.logger,
		run: async () => await carryOut(context, self, webhook, plan.giveBack),
	});
}

/** Carries out a plan for what is registered by then. */
async function carryOut(
	context: IHookFunctions,
	self: plan.TriggerIdentity,
	{ webhookId, credentials: { baseUrl } }: RegisteredWebhook,
	planFor: typeof plan.unpublish,
): Promise<void> {
	// Reads the credential again: its token may have been replaced. n8n evaluates no parameter any more.
	const credentials = await readCredentials(context);
	if (credentials.baseUrl !== baseUrl) throw new Error('The credential has another Base URL now');
	const webhook = new RegisteredWebhook(context, credentials, webhookId, 0);
	const now = await webhook.look();
	const steps = planFor(now, self);
	await webhook.apply(steps);
	const what = steps.length > 0 ? 'Released the webhook from' : 'Left the webhook with';
	context.logger.info(`${what} ${addressOf(now.url)}`);
}

/** The trigger and its webhook. Throws if the service couldn't call this n8n. */
async function open(context: IHookFunctions) {
	const id = webhookId(readParameters(context));
	const webhook = new RegisteredWebhook(context, await readCredentials(context), id, 3);
	const address = String(context.getNodeWebhookUrl('default'));
	const problem = plan.unreachable(address, webhook.credentials.baseUrl);
	if (problem !== undefined) throw new Error(problem);
	const credentialId = String(context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '');
	return { self: { address, credentialId }, webhook };
}

/** A test runs in a copy of the workflow, which n8n never makes active. */
function isTest(context: IHookFunctions): boolean {
	return !context.getWorkflow().active;
}
