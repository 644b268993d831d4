import { createHash, createHmac, timingSafeEqual } from 'crypto';
import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { eventsProperty, readWebhookId, webhookIdProperty } from '../actions/webhook/webhooks';
import { notice } from '../parameters/field';
import { NodeParameters, placesOf } from '../parameters/NodeParameters';
import { readCredentials } from '../transport/credentials';

export const triggerProperties: INodeProperties[] = [
	webhookIdProperty,
	notice(
		'webhookNotice',
		"Use a separate webhook for each workflow. Publishing replaces the webhook's current URL. If another system gets results there now, it stops getting them.",
	),
	eventsProperty,
];

export function readParameters(context: IHookFunctions | IWebhookFunctions): NodeParameters {
	const read = (path: string) => ({ value: context.getNodeParameter(path, null) });
	return new NodeParameters(placesOf(triggerProperties), read);
}

/** The secret is derived, in hex: the same after a crash, in every process. Specification, "Authentication", 3. */
export function webhookSecret(accessToken: string, webhookId: string): string {
	// A UUID is the same in upper and lower case.
	return createHmac('sha256', accessToken).update(webhookId.toLowerCase()).digest('hex');
}

/** `secretDigest`, which `publish` stores, is of the registered secret: it fits even after the access token is replaced. */
export function getStaticData(context: IHookFunctions | IWebhookFunctions) {
	return context.getWorkflowStaticData('node') as { secretDigest?: string };
}

/** Stored in place of a secret, and compared. In hex. */
export function digestOf(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}

/**
 * Undefined for a genuine call, with the registered secret or that of the current access token. Throws nothing: each call
 * gets an answer. Changes no static data: n8n 1.x stores it after each call.
 */
export async function reasonToReject(context: IWebhookFunctions): Promise<string | undefined> {
	const { rawHeaders } = context.getRequestObject();
	if (carriesSecret(rawHeaders, getStaticData(context).secretDigest)) return undefined;
	try {
		const { accessToken } = await readCredentials(context);
		const current = webhookSecret(accessToken, readWebhookId(readParameters(context)));
		const isGenuine = carriesSecret(rawHeaders, digestOf(current));
		return isGenuine ? undefined : "the webhook's secret is missing or wrong";
	} catch (error) {
		return `n8n couldn't read the secret to compare it with. ${(error as Error).message}`;
	}
}

/**
 * True if any header of a call carries the secret, alone or after a scheme word ("Bearer …"): the specification ("Events")
 * names neither the header nor a scheme. Digests are compared in constant time, which reveals nothing about the secret.
 * @param rawHeaders alternating names and values, as Node.js received them, with duplicates
 * @param digest of the expected secret (`digestOf`); without one, no call is genuine
 */
function carriesSecret(rawHeaders: readonly string[], digest = ''): boolean {
	const expected = Buffer.from(digest, 'hex');
	const values = rawHeaders.filter((_text, index) => index % 2 === 1).map((value) => value.trim());
	const possible = values.flatMap((value) => [...new Set([value, value.replace(/^\S+\s+/, '')])]);
	const matches = possible.map((secret) => {
		const given = Buffer.from(digestOf(secret), 'hex');
		return given.length === expected.length && timingSafeEqual(given, expected);
	});
	return matches.includes(true);
}
