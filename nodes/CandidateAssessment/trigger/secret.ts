import { createHash, createHmac } from 'crypto';

/** Shorter secrets can be guessed. */
export const MIN_SECRET_LENGTH = 16;

/**
 * The secret that the service is to show in its calls: the one in the credential, else one derived
 * from access token and webhook ID, in hex. Derived means the same for test and production and on
 * every process of n8n, with nothing to configure or to store. Undefined where there is nothing
 * safe to go by. Specification, "Authentication", point 3.
 */
export function webhookSecret(
	{ webhookSecret: given, accessToken }: { webhookSecret?: unknown; accessToken?: unknown },
	webhookId: string,
): string | undefined {
	const chosen = trimmed(given);
	if (chosen) return chosen.length >= MIN_SECRET_LENGTH ? chosen : undefined;
	const key = trimmed(accessToken);
	return key && createHmac('sha256', key).update(webhookId).digest('hex');
}

/** True for visible ASCII and blanks. Senders differ in how they write all else into a header. */
export function isHeaderSafe(secret: string): boolean {
	return /^[\x20-\x7e]+$/.test(secret);
}

/** What may be stored of a secret, and what secrets are compared by. In hex. */
export function digestOf(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}

function trimmed(value: unknown): string | undefined {
	return (typeof value === 'string' && value.trim()) || undefined;
}
