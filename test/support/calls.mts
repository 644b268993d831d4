import { createHmac } from 'node:crypto';

/** The header with the secret. The trigger would accept any other. */
const SECRET_HEADER = 'x-webhook-secret';

/** A call to a webhook's address, genuine or forged. */
export interface Call {
	secret?: string;
	/** Sent as JSON. Without it there is no body. */
	body?: unknown;
}

/** Calls the address. Returns the status of the response. */
export async function call(url: string, { secret, body }: Call): Promise<number> {
	const response = await fetch(url, {
		method: 'POST',
		headers: {
			...(body !== undefined && { 'content-type': 'application/json' }),
			...(secret !== undefined && { [SECRET_HEADER]: secret }),
		},
		body: JSON.stringify(body),
		signal: AbortSignal.timeout(60_000),
	});
	await response.text();
	return response.status;
}

/** The secret that the trigger must derive. */
export function derivedSecret(accessToken: string, webhookId: string): string {
	return createHmac('sha256', accessToken).update(webhookId).digest('hex');
}

/** Guesses at the secret. */
export function forgedSecrets(secret: string): Record<string, string | undefined> {
	return {
		'no secret': undefined,
		'an empty secret': '',
		'one character changed': secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0'),
	};
}
