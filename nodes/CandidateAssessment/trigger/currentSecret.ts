import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';
import { CREDENTIAL_TYPE } from '../transport/credentials';
import { digestOf, webhookSecret } from './secret';

const KEPT_MS = 1_000;

type Digest = string | undefined;
let latest = { key: '', digest: Promise.resolve<Digest>(undefined), until: 0 };

/**
 * Digest of the secret as it would be registered now; undefined if there is none, for whatever reason.
 * Kept for a second: handing over a credential costs n8n as much as all else of a call (docs/profile.md),
 * and a flood of forged calls must not keep n8n busy with it.
 */
export async function currentSecretDigest(
	context: IWebhookFunctions,
	webhookId?: string,
): Promise<Digest> {
	const now = Date.now();
	const key = JSON.stringify([context.getWorkflow().id, context.getNode(), webhookId]);
	if (latest.key !== key || latest.until <= now) {
		latest = { key, digest: readDigest(context, webhookId), until: now + KEPT_MS };
	}
	return await latest.digest;
}

async function readDigest(context: IWebhookFunctions, webhookId?: string): Promise<Digest> {
	try {
		const credential =
			await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
		return digestOf(webhookSecret(credential, webhookId));
	} catch (error) {
		context.logger.debug(`No current webhook secret: ${(error as Error).message}`);
		return undefined;
	}
}
