import { createHash, createHmac } from 'crypto';
import { usableSecret } from '../parameters/secret';
import { CredentialError, parseAccessToken } from '../transport/credentials';

/**
 * The secret that the service sends with each call: the credential's, or else one derived from access
 * token and webhook ID, in hex. Derived, it is the same for test and production and on every process of
 * n8n, with nothing to configure or store. Whoever registers by hand has to enter one.
 * Throws `CredentialError` if there is none, or none that is safe. Specification, "Authentication", 3.
 * @param webhookId none with manual registration
 */
export function webhookSecret(
	credential: { webhookSecret?: unknown; accessToken?: unknown },
	webhookId?: string,
): string {
	const given = trimmed(credential.webhookSecret);
	if (given) return usableSecret(given);
	if (!webhookId) {
		throw new CredentialError(
			"Enter a Webhook Secret in the credential, at least 16 characters, and the same secret at the assessment service. With manual registration, it's how the trigger recognizes the service.",
		);
	}
	// One webhook has one ID, however it is written.
	return createHmac('sha256', parseAccessToken(credential.accessToken))
		.update(webhookId.toLowerCase())
		.digest('hex');
}

/** Stored in place of a secret, and compared. In hex. */
export function digestOf(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}

function trimmed(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
