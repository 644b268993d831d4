import { createHash, createHmac, timingSafeEqual } from 'crypto';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { headerProblem } from '../actions/webhook/update';
import { string, ValidationError, type Rule } from '../parameters/rules';
import { CredentialError, readCredentials, type ApiCredentials } from '../transport/credentials';

/** Shorter secrets can be guessed. */
const MIN_SECRET_LENGTH = 16;
const TOO_SHORT = `must have at least ${MIN_SECRET_LENGTH} characters`;

/**
 * The secret that the service sends with each call: the credential's, or else one derived from access
 * token and webhook ID, in hex. A derived one is the same for test and production and in every process
 * of n8n, with nothing to configure or store. Throws `CredentialError` if there is none that is safe.
 * Specification, "Authentication", 3.
 * @param webhookId left out with manual registration, where nobody could know a derived secret
 */
export function webhookSecret(
	{ accessToken, webhookSecret: entered }: Pick<ApiCredentials, 'accessToken' | 'webhookSecret'>,
	webhookId?: string,
): string {
	if (entered) {
		const isShort = entered.length < MIN_SECRET_LENGTH;
		const problem = isShort ? TOO_SHORT : headerProblem(entered);
		if (problem) throw new CredentialError(`The Webhook Secret in the credential ${problem}`);
		return entered;
	}
	if (!webhookId) {
		throw new CredentialError(
			"Enter a Webhook Secret in the credential, at least 16 characters, and the same secret at the assessment service. With manual registration, it's how the trigger recognizes the service.",
		);
	}
	// One webhook has one ID, however it is written.
	return createHmac('sha256', accessToken).update(webhookId.toLowerCase()).digest('hex');
}

/** Digest of the secret as it would be registered now; undefined if there is none, for whatever reason. */
export async function currentSecretDigest(context: IWebhookFunctions, webhookId?: string) {
	try {
		return digestOf(webhookSecret(await readCredentials(context), webhookId));
	} catch (error) {
		context.logger.debug(`No current webhook secret: ${(error as Error).message}`);
		return undefined;
	}
}

/**
 * Kept in the workflow's static data: the digest of the registered secret, which counts even after the
 * access token was replaced. A test has its own static data, and sees no other.
 */
export function getStaticData(context: IHookFunctions | IWebhookFunctions): {
	secretDigest?: string;
} {
	return context.getWorkflowStaticData('node');
}

/** Stored in place of a secret, and compared. In hex. */
export function digestOf(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}

/**
 * Headers that every call carries, sent by itself by a client or a proxy. If a webhook secret reads like
 * one ("application/json"), it must let nobody in. `Authorization` can carry a secret.
 */
const HTTP_HEADERS =
	/^(accept|accept-(encoding|language)|connection|content-(length|type)|host|transfer-encoding|user-agent|x-forwarded-.*)$/i;

/** RFC 9110, 5.6.2. Under any other name no call could carry the secret. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The name of the only header to accept the secret in. */
export const secretHeader: Rule<string> = (value) => {
	const name = string()(value).trim();
	if (!HEADER_NAME.test(name) || HTTP_HEADERS.test(name)) {
		throw new ValidationError(
			"that can't carry a secret. Enter the name of one header, such as X-Webhook-Secret, and none that every call has, or leave it empty.",
		);
	}
	return name;
};

/**
 * All headers that carry the secret, alone or after a scheme word ("Bearer …"): their names, and the
 * secret. Digests are compared in constant time, so that how long it takes tells nothing about the secret.
 * @param rawHeaders names and values in turn, as Node.js received them: a header sent twice is two
 */
export function findSecretHeaders(rawHeaders: readonly string[], digest: string) {
	const expected = Buffer.from(digest, 'hex');
	const secretHeaders = new Map<string, string>();
	for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
		for (const candidate of candidatesIn(rawHeaders[index + 1])) {
			const given = Buffer.from(digestOf(candidate), 'hex');
			const matches = given.length === expected.length && timingSafeEqual(given, expected);
			if (matches) secretHeaders.set(rawHeaders[index].toLowerCase(), candidate);
		}
	}
	return secretHeaders;
}

/**
 * True if one of the headers that carry the secret counts. The specification names neither the header nor
 * a scheme ("Events"): any header counts that is not of HTTP itself, unless one is named.
 */
export function isGenuine(secretHeaders: ReadonlyMap<string, string>, onlyHeader?: string) {
	return [...secretHeaders.keys()].some(
		(name) => !HTTP_HEADERS.test(name) && (!onlyHeader || name === onlyHeader.toLowerCase()),
	);
}

function candidatesIn(value: string): string[] {
	const whole = value.trim();
	const [, afterScheme] = /^\S+\s+(\S.*)$/.exec(whole) ?? [];
	return afterScheme === undefined ? [whole] : [whole, afterScheme];
}
