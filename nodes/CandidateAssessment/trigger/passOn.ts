import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { N8nRequest } from './body';

/**
 * Tests that listen in this process, by their trigger (`triggerOf`): the path at which n8n serves each. A trigger
 * that is published passes on to its test what it receives, so a test takes nothing from anybody.
 */
const tests = new Map<string, string>();

/** In milliseconds. n8n answers a test event at once. */
const TIMEOUT = 10_000;

/** Of the connection that the call came over, or of a body as it was sent: n8n has unpacked it. */
const OF_THE_CONNECTION =
	/^(connection|content-(encoding|length)|expect|host|keep-alive|transfer-encoding|upgrade)$/;

export function startListening(context: IHookFunctions): void {
	tests.set(triggerOf(context), pathOf(context));
}

export function stopListening(context: IHookFunctions): void {
	tests.delete(triggerOf(context));
}

/**
 * Passes a genuine call on to a test of the same trigger, if one listens: the call's body must have been read. A test
 * takes one event, so this is the only one it gets. What fails is one line in n8n's log.
 */
export async function passOn(context: IWebhookFunctions): Promise<void> {
	const trigger = triggerOf(context);
	const path = tests.get(trigger);
	// A test's own calls have the mode manual.
	if (path === undefined || context.getMode() === 'manual') return;
	tests.delete(trigger);
	try {
		const status = await send(context, path);
		if (status >= 300) throw new Error(`n8n answered ${status}`);
	} catch (error) {
		const { message, cause } = error as Error;
		const reason = cause instanceof Error ? cause.message : message;
		context.logger.warn(
			`A test didn't get an event that workflow ${context.getWorkflow().id} got: ${reason}`,
		);
	}
}

/**
 * Sends the call to this very process, where it came in, since n8n may not know its own address. Not with n8n's
 * helper: it would send it through the environment's proxy, and with its SSRF protection not at all. Returns the status.
 */
async function send(context: IWebhookFunctions, path: string): Promise<number> {
	const { headers, rawBody: body, socket }: N8nRequest = context.getRequestObject();
	const { localAddress = '', localPort } = socket;
	const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
	const response = await fetch(`http://${host}:${localPort}${path}`, {
		method: 'POST',
		headers: Object.fromEntries(
			Object.entries(headers)
				.filter(([name]) => !OF_THE_CONNECTION.test(name))
				.map(([name, value]) => [name, String(value)]),
		),
		body,
		redirect: 'manual',
		signal: AbortSignal.timeout(TIMEOUT),
	});
	await response.body?.cancel();
	return response.status;
}

/** The same in a test as in production, in any workflow that the trigger was pasted into. */
function triggerOf(context: IHookFunctions | IWebhookFunctions): string {
	const { webhookId, name } = context.getNode();
	// Without an ID of its own, n8n puts these into the address.
	return webhookId || `${context.getWorkflow().id}/${name.toLowerCase()}`;
}

/** "/webhook-test/<trigger>/webhook": n8n knows nothing of what a reverse proxy has before it. */
function pathOf(context: IHookFunctions): string {
	const address = String(context.getNodeWebhookUrl('default'));
	const parts = triggerOf(context).split('/').length + 2;
	return `/${address.split('/').slice(-parts).join('/')}`;
}
