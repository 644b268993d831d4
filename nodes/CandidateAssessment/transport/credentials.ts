import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
} from 'n8n-workflow';
import { API_PATH } from './envelope';

export const CREDENTIAL_TYPE = 'candidateAssessmentApi';

/** The credential, checked and ready to send with. */
export interface ApiCredentials {
	/** Without a slash at its end; may carry a path. */
	baseUrl: string;
	accessToken: string;
	/** Handed along with each request: n8n would otherwise decrypt the credential for every one. */
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
	// n8n stores it as the value of a hidden field set to Expression, and a script may copy it. An ID follows.
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
	// The address of an endpoint is taken for its service's.
	const [ofService] = `${url.origin}${url.pathname}/`.split(`${API_PATH}/`);
	return ofService.replace(/(?<!\/)\/+$/, '');
}

/** True for https, and for http that doesn't leave the machine. */
export function isSecureUrl(url: URL): boolean {
	return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url));
}

/** True for an address that leads to the machine that asks for it. A URL has them in normal form. */
export function isThisMachine({ hostname }: URL): boolean {
	return THIS_MACHINE.test(hostname);
}

/** By name; in IPv4, where all zeros stand for any; in IPv6, and IPv4 within that. */
const THIS_MACHINE =
	/^((.+\.)?localhost\.?|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(7f..:.+|0:0)\])$/;

function trimmed(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
