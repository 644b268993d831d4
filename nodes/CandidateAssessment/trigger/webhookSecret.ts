import { createHash, createHmac } from 'crypto';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

/**
 * The secret that the service sends with each call, in hex. It's derived, so it's the same after a crash, in every
 * process, and whatever becomes of the static data. Specification, "Authentication", 3.
 */
export function webhookSecret(accessToken: string, webhookId: string): string {
	// A UUID is the same in upper and lower case.
	return createHmac('sha256', accessToken).update(webhookId.toLowerCase()).digest('hex');
}

/**
 * The workflow's static data keeps the digest of the secret that publishing has registered, which counts even after the
 * access token is replaced. It's also what says that something was published.
 */
export function getStaticData(context: IHookFunctions | IWebhookFunctions) {
	return context.getWorkflowStaticData('node') as { secretDigest?: string };
}

/** Stored in place of a secret, and compared. In hex. */
export function digestOf(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}
