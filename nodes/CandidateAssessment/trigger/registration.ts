import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { string } from '../parameters/rules';
import { toNodeError } from '../errors/toNodeError';
import { eventNames } from '../actions/webhook/events';
import { ApiError } from '../errors/ApiError';
import { digestOf } from './secret';
import { RegisteredWebhook, type Registration } from './RegisteredWebhook';

/**
 * Registering and giving back. The specification has no endpoint to create, list or read a webhook:
 * the trigger takes over one that exists ("Endpoints", 3 and 4).
 */

/** What the trigger keeps in the workflow's static data. */
export interface TriggerStaticData {
	/** Digest of the secret that publishing registered, so that a rotated token turns no call away. */
	secretDigest?: string;
	/** While somebody listens for a test event: the test's address, and what the webhook was before. */
	borrowed?: IDataObject & { testUrl: string; before: Registration };
}

export function getStaticData(
	context: Pick<IHookFunctions, 'getWorkflowStaticData'>,
): TriggerStaticData {
	return context.getWorkflowStaticData('node');
}

/** Points the webhook to this workflow and switches it on. */
export async function publish(context: IHookFunctions): Promise<void> {
	const webhook = await RegisteredWebhook.open(context);
	const { desired, secret } = webhook;
	await webhook.register(desired, secret);
	try {
		await webhook.setStatus('active');
	} catch (error) {
		// The workflow stays unpublished: its webhook must not be left half registered and active.
		await webhook.setStatus('inactive').catch(() => {});
		throw toNodeError(context, error as Error);
	}
	getStaticData(context).secretDigest = digestOf(secret);
}

/** Switches the webhook off, unless it has come to point to somebody else meanwhile. */
export async function unpublish(context: IHookFunctions): Promise<void> {
	const webhook = await RegisteredWebhook.open(context);
	try {
		const { url } = await webhook.setStatus('inactive');
		if (url !== undefined && url !== webhook.desired.url) await webhook.setStatus('active');
	} catch (error) {
		const isGone = error instanceof ApiError && error.httpStatus === 404;
		if (!isGone) throw toNodeError(context, error as Error);
		context.logger.info('The webhook is gone from the service; nothing to switch off');
	}
	delete getStaticData(context).secretDigest;
}

/** Points the webhook to the test's address, keeping in mind what it was. */
export async function borrow(context: IHookFunctions): Promise<void> {
	const webhook = await RegisteredWebhook.open(context);
	const { desired, secret } = webhook;
	const { name, url, events } = await webhook.setStatus('active');
	const before = { name: string()(name), url: string()(url), events: eventNames(events) };
	getStaticData(context).borrowed = { testUrl: desired.url, before };
	await webhook.register(desired, secret);
}

/** Puts back what the webhook was before the test, unless it was published in the meantime. */
export async function giveBack(context: IHookFunctions): Promise<void> {
	const { borrowed } = getStaticData(context);
	if (!borrowed) return;
	const webhook = await RegisteredWebhook.open(context);
	const now = await webhook.setStatus('active');
	if (now.url === borrowed.testUrl) {
		const before = { ...borrowed.before, url: productionUrl(borrowed.before.url) };
		await webhook.register(before, webhook.secret);
	}
	delete getStaticData(context).borrowed;
}

/**
 * A test that ended without giving back (n8n was killed) has left its own address behind. The
 * address to go back to is the production one, which differs from it in this one part.
 */
function productionUrl(url: string): string {
	return url.replace('/webhook-test/', '/webhook/');
}
