import { createHash } from 'crypto';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

/**
 * The workflow's static data keeps the digest of the registered secret, which counts even after the
 * access token is replaced. A test has static data of its own, and doesn't see production's.
 */
export function getStaticData(context: IHookFunctions | IWebhookFunctions) {
	return context.getWorkflowStaticData('node') as { secretDigest?: string };
}

/** Stored in place of a secret, and compared. In hex. */
export function digestOf(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}
