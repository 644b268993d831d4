import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';
import { fillText } from '../errors/fillIn';
import { CREDENTIAL_TYPE } from '../transport/credentials';
import { digestOf, webhookSecret, type SecretSource } from './secret';

/** What n8n's log says where a call cannot be verified by the credential. */
export const NO_CURRENT_SECRET = 'No current webhook secret: {reason}';

type Digest = string | undefined;
const beingRead = new Map<string, Promise<Digest>>();
const readNext = new Map<string, Promise<Digest>>();

/**
 * Digest of the secret as it would be registered now; undefined if there is none, for whatever reason.
 *
 * Handing over a credential costs n8n as much as all else of a call (docs/profile.md). Calls that wait
 * at the same time therefore share a read, so that a flood of forged ones cannot keep n8n busy with it.
 * A read is shared only until it begins: nobody gets what was true before the call came in.
 */
export async function currentSecretDigest(
	context: IWebhookFunctions,
	source: SecretSource,
): Promise<Digest> {
	const key = JSON.stringify([context.getWorkflow().id, context.getNode(), source]);
	const shared = readNext.get(key);
	if (shared) return await shared;

	const read = async (): Promise<Digest> => {
		await beingRead.get(key);
		readNext.delete(key);
		beingRead.set(key, mine);
		try {
			const credential =
				await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
			return digestOf(webhookSecret(credential, source));
		} catch (error) {
			const { message } = error as Error;
			context.logger.debug(fillText(NO_CURRENT_SECRET, { reason: message }));
			return undefined;
		} finally {
			if (beingRead.get(key) === mine) beingRead.delete(key);
		}
	};
	const mine = read();
	readNext.set(key, mine);
	return await mine;
}
