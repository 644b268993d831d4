import { createHmac } from 'crypto';
import { CredentialError, type ApiCredentials } from './credentials';

/** Shorter secrets can be guessed. */
export const MIN_SECRET_LENGTH = 16;

/** Why a secret can't be sent in a header, if it can't: only visible ASCII and spaces are safe there. */
export function headerProblem(secret: string): string | undefined {
	if (/^[\x20-\x7e]+$/.test(secret)) return undefined;
	return 'can contain only letters without accents, digits, spaces and common symbols, because the service sends it in a header';
}

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
