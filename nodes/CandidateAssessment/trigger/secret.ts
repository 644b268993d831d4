import { createHash, createHmac } from 'crypto';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { headerProblem } from '../actions/webhook/update';
import { CredentialError, type ApiCredentials } from '../transport/credentials';

/** Shorter secrets can be guessed. */
export const MIN_SECRET_LENGTH = 16;

/**
 * The secret that the service sends with each call: the credential's, or one derived from the access
 * token and the webhook ID, in hex. A derived secret is the same for test and production and in every
 * process of n8n, without configuring or storing anything. Throws `CredentialError` if none is safe.
 * Specification, "Authentication", 3.
 * @param webhookId left out with manual registration, where nobody could know a derived secret
 */
export function webhookSecret(credentials: ApiCredentials, webhookId?: string): string {
	const { accessToken, webhookSecret: entered } = credentials;
	if (entered) {
		const isShort = entered.length < MIN_SECRET_LENGTH;
		const problem = isShort
			? `must be at least ${MIN_SECRET_LENGTH} characters long`
			: headerProblem(entered);
		if (problem) throw new CredentialError(`The Webhook Secret in the credential ${problem}`);
		return entered;
	}
	if (!webhookId) {
		throw new CredentialError(
			`Manual registration needs a Webhook Secret. Enter one in the credential (at least ${MIN_SECRET_LENGTH} characters), and the same one in the assessment service.`,
		);
	}
	// A UUID is the same in upper and lower case.
	return createHmac('sha256', accessToken).update(webhookId.toLowerCase()).digest('hex');
}

/** A short digest that can't be computed without the access token. It's part of the webhook's URL. */
export function signatureOf(text: string, { accessToken }: ApiCredentials): string {
	return createHmac('sha256', accessToken).update(text).digest('base64url').slice(0, 16);
}

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
