import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { N8nRequest } from './body';

/**
 * The path of the test that listens in this process, by trigger (`triggerOf`). A published trigger passes its calls on
 * to its test, so a test takes nothing from anybody.
 */
const tests = new Map<string, string>();

/** In milliseconds. n8n answers a test event at once. */
const TIMEOUT = 10_000;

/** Hop-by-hop headers, and those describing the original encoding: n8n has decoded the body. */
const NOT_PASSED_ON =
	/^(connection|content-(encoding|length)|expect|host|keep-alive|transfer-encoding|upgrade)$/;

export function startListening(context: IHookFunctions): void {
	const trigger = triggerOf(context);
	const address = String(context.getNodeWebhookUrl('default'));
	// "/webhook-test/<trigger>/webhook": n8n doesn't know the path that a reverse proxy has before it.
	const parts = trigger.split('/').length + 2;
	tests.set(trigger, `/${address.split('/').slice(-parts).join('/')}`);
}

export function stopListening(context: IHookFunctions): void {
	tests.delete(triggerOf(context));
}

/**
 * Passes a genuine call, whose body has been read, on to the trigger's test, if one listens. A test takes only one
 * event. A failure is one line in n8n's log.
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
 * Sends the call to this very process, where it came in, since n8n may not know its own address. n8n's helper would use
 * the environment's proxy, and its SSRF protection would block it. Returns the status.
 */
async function send(context: IWebhookFunctions, path: string): Promise<number> {
	const { headers, rawBody: body, socket }: N8nRequest = context.getRequestObject();
	const { localAddress = '', localPort } = socket;
	const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
	const kept = Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.test(name));
	const response = await fetch(`http://${host}:${localPort}${path}`, {
		method: 'POST',
		headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
		body,
		redirect: 'manual',
		signal: AbortSignal.timeout(TIMEOUT),
	});
	await response.body?.cancel();
	return response.status;
}

/** The same in a test and in production, in any workflow that the trigger was pasted into. */
function triggerOf(context: IHookFunctions | IWebhookFunctions): string {
	const { webhookId, name } = context.getNode();
	// n8n's address holds these for a node without an ID.
	return webhookId || `${context.getWorkflow().id}/${name.toLowerCase()}`;
}
