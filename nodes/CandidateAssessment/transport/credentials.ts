import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { API_PATH } from './envelope';

export const CREDENTIAL_TYPE = 'candidateAssessmentApi';

/** The credential, checked and ready to send with. */
export interface ApiCredentials {
	/** Without a slash at its end; may carry a path. */
	baseUrl: string;
	accessToken: string;
	/** As entered. If empty, the trigger derives it. */
	webhookSecret: string;
	/** Handed along with each request: n8n would otherwise decrypt the credential for every one. */
	decrypted: ICredentialsDecrypted<ICredentialDataDecryptedObject>;
}

/** Its message says what to correct in the credential. */
export class CredentialError extends Error {}

/** Reads the credential of a node. Throws `CredentialError`. */
export async function readCredentials(context: IAllExecuteFunctions): Promise<ApiCredentials> {
	return parseCredentials(await context.getCredentials(CREDENTIAL_TYPE));
}

/**
 * Throws `CredentialError` if the access token is missing, can't be sent, or would be sent unencrypted.
 */
export function parseCredentials(credential: ICredentialDataDecryptedObject): ApiCredentials {
	const accessToken = parseAccessToken(credential.accessToken);
	return {
		baseUrl: parseBaseUrl(trimmed(credential.baseUrl)),
		accessToken,
		webhookSecret: trimmed(credential.webhookSecret),
		decrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data: { ...credential, accessToken } },
	};
}

/** The token as the service expects it: without a pasted "Bearer ". Throws `CredentialError`. */
function parseAccessToken(value: unknown): string {
	const token = trimmed(value).replace(/^bearer(\s+|$)/i, '');
	if (!token) throw new CredentialError('The credential has no access token');
	// Quotation marks and blanks around it, or an invisible character from a web page.
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
	return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(API_PATH_AND_REST, '');
}

/** The address of an endpoint is taken for its service's. */
const API_PATH_AND_REST = new RegExp(`/*${API_PATH.replaceAll('.', '\\.')}(/.*)?$`);

/** True for https, and for http that doesn't leave the machine. */
export function isSecureUrl(url: URL): boolean {
	return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

export function isLoopback({ hostname }: URL): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** The address that n8n would send a request to. */
export function requestUrl(request: NodeRequest): URL | undefined {
	const own = String(request.url ?? request.uri);
	// As n8n's client joins them: `new URL` would also take a host from "\\host" or " https://host".
	const isAbsolute = /^([a-z][a-z\d+.-]*:)?\/\//i.test(own);
	const url = request.baseURL && !isAbsolute ? `${request.baseURL}/${own}` : own;
	return URL.canParse(url) ? new URL(url) : undefined;
}

/**
 * True if the request doesn't go straight to a host whose certificate n8n has checked. With such options
 * of HTTP Request, a proxy or another host could read the token.
 */
export function hasOwnConnection(request: NodeRequest): boolean {
	return !!(
		request.proxy ||
		request.agentOptions ||
		request.skipSslCertificateValidation ||
		request.rejectUnauthorized === false ||
		// A shared front end passes the request on to the host that this names.
		Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'host')
	);
}

/** A request of any node. HTTP Request has some fields of its own. */
type NodeRequest = IHttpRequestOptions & { uri?: unknown; rejectUnauthorized?: boolean };

function trimmed(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
