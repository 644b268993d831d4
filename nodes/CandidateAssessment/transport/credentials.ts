import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
} from 'n8n-workflow';
import { API_PATH } from './envelope';

export const CREDENTIAL_TYPE = 'candidateAssessmentApi';

/** The credential, checked and ready to send with. */
export interface ApiCredentials {
	/** Without a slash at its end; may have a path. */
	baseUrl: string;
	accessToken: string;
	/** Passed with each request, or n8n would decrypt the credential every time. */
	decrypted: ICredentialsDecrypted<ICredentialDataDecryptedObject>;
}

/** Its message says what to correct in the credential. */
export class CredentialError extends Error {}

/** Reads the credential of a node. Throws `CredentialError`. */
export async function readCredentials(context: IAllExecuteFunctions): Promise<ApiCredentials> {
	return parseCredentials(await context.getCredentials(CREDENTIAL_TYPE));
}

/** Throws `CredentialError` if the token is missing, can't be sent, or would be sent unencrypted. */
export function parseCredentials(credential: ICredentialDataDecryptedObject): ApiCredentials {
	const accessToken = parseAccessToken(credential.accessToken);
	return {
		baseUrl: parseBaseUrl(trimmed(credential.baseUrl)),
		accessToken,
		decrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data: { ...credential, accessToken } },
	};
}

/** The token as the service expects it: without a pasted "Bearer ". Throws `CredentialError`. */
function parseAccessToken(value: unknown): string {
	const text = trimmed(value);
	// n8n stores this, followed by an ID, for a hidden field set to Expression, and a script may copy it.
	if (text.includes('__n8n_BLANK_VALUE_')) {
		throw new CredentialError(
			"The Access Token in the credential holds n8n's placeholder for a hidden value. Enter it again.",
		);
	}
	const token = text.replace(/^bearer(\s+|$)/i, '');
	if (!token) throw new CredentialError('The credential has no access token');
	// Quotation marks and spaces around it, or an invisible character from a web page.
	if (!/^[\x21\x23-\x26\x28-\x7e]+$/.test(token)) {
		throw new CredentialError(
			'The Access Token in the credential contains a space, a quotation mark or a special character. Copy only the token itself.',
		);
	}
	return token;
}

function parseBaseUrl(baseUrl: string): string {
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	if (!url || /[?#\\]/.test(baseUrl) || url.username || url.password) {
		throw new CredentialError(
			'The Base URL in the credential must be a plain web address, e.g. https://assessment.example.com',
		);
	}
	if (!isSecureUrl(url)) {
		throw new CredentialError(
			'The Base URL in the credential must start with https://, so that the access token stays private',
		);
	}
	// If an endpoint's URL was pasted, only the service's part is kept.
	const [ofService] = `${url.origin}${url.pathname}/`.split(`${API_PATH}/`);
	return ofService.replace(/(?<!\/)\/+$/, '');
}

/** True for https, and for http that doesn't leave the machine. */
export function isSecureUrl(url: URL): boolean {
	return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url));
}

/** True if the address leads back to the machine that calls it. `URL` has normalized the host name. */
export function isThisMachine({ hostname }: URL): boolean {
	return THIS_MACHINE.test(hostname);
}

/** A name; IPv4, where all zeros stand for any; IPv6, and IPv4 within it. */
const THIS_MACHINE =
	/^((.+\.)?localhost\.?|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(7f..:.+|0:0)\])$/;

function trimmed(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
