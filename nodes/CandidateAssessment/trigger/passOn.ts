import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { ownAddress } from './addresses';

/** The parts of a call that the trigger reads. n8n adds the last two. */
export interface N8nRequest {
	headers: Record<string, unknown> & { 'content-type'?: string };
	socket: { localAddress?: string; localPort?: number };
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}

/** Where the editor's tests of a trigger listen for one event each (`rememberTest`), by trigger (`triggerIdOf`). */
const listeningTests = new Map<string, string>();

/** n8n answers a test event immediately. */
const TIMEOUT_MS = 10_000;

/** Hop-by-hop headers, and those describing the original encoding: n8n has decoded the body. */
const NOT_PASSED_ON =
	/^(connection|content-(encoding|length)|expect|host|keep-alive|transfer-encoding|upgrade)$/;

export function rememberTest(context: IHookFunctions): void {
	const trigger = triggerIdOf(context);
	// "/webhook-test/<trigger>/webhook": without a reverse proxy's path, which n8n's own routes don't have.
	const parts = trigger.split('/').length + 2;
	listeningTests.set(trigger, `/${ownAddress(context).split('/').slice(-parts).join('/')}`);
}

export function forgetTest(context: IHookFunctions): void {
	listeningTests.delete(triggerIdOf(context));
}

/** Passes a genuine call on to the trigger's test, if one listens. A failure is one line in n8n's log. */
export async function passOnToTest(context: IWebhookFunctions): Promise<void> {
	const trigger = triggerIdOf(context);
	const path = listeningTests.get(trigger);
	// A test's own calls have the mode manual.
	if (path === undefined || context.getMode() === 'manual') return;
	listeningTests.delete(trigger);
	try {
		const status = await postToTest(context, path);
		if (status >= 300) throw new Error(`n8n answered ${status}`);
	} catch (error) {
		const { message, cause } = error as Error;
		const reason = cause instanceof Error ? cause.message : message;
		context.logger.warn(
			`A test didn't get an event that workflow ${context.getWorkflow().id} got: ${reason}`,
		);
	}
}

/** Sends the call to where it arrived. n8n's helper would use a proxy, or refuse a local address. Returns the status. */
async function postToTest(context: IWebhookFunctions, path: string): Promise<number> {
	const { headers, rawBody: body, socket }: N8nRequest = context.getRequestObject();
	const { localAddress = '', localPort } = socket;
	const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
	const kept = Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.test(name));
	const response = await fetch(`http://${host}:${localPort}${path}`, {
		method: 'POST',
		headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
		body,
		redirect: 'manual',
		signal: AbortSignal.timeout(TIMEOUT_MS),
	});
	await response.body?.cancel();
	return response.status;
}

/** A trigger's ID, the same in a test and in production. A pasted copy shares it. */
function triggerIdOf(context: IHookFunctions | IWebhookFunctions): string {
	const { webhookId, name } = context.getNode();
	// For a node without an ID, n8n's address holds the workflow's and the node's name.
	return webhookId || `${context.getWorkflow().id}/${name}`;
}
