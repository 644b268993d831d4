import type { ICredentialDataDecryptedObject, ICredentialsDecrypted } from 'n8n-workflow';

export const CREDENTIAL_TYPE = 'candidateAssessmentApi';

/** The credential, checked and ready to send with. */
export interface ApiCredentials {
	/** Without a slash at its end; may carry a path. */
	baseUrl: string;
	accessToken: string;
	/** As the user gave it; empty where the trigger is to derive one. */
	webhookSecret: string;
	/** Handed along with each request: n8n would otherwise decrypt the credential for every one. */
	decrypted: ICredentialsDecrypted<ICredentialDataDecryptedObject>;
}

/** The message says what to correct in the credential. */
export class CredentialError extends Error {}

/** Throws `BadCredential` where the base URL would carry the token over an open line, or the token is missing. */
export function parseCredentials(credential: ICredentialDataDecryptedObject): ApiCredentials {
	const accessToken = trimmed(credential.accessToken);
	if (!accessToken) throw new CredentialError('The credential has no access token');
	// Such as an invisible character from a web page; no request could be made with it.
	if (/[^\t\x20-\x7e\x80-\xff]/.test(accessToken)) {
		throw new CredentialError(
			'The access token in the credential has a character that cannot be sent: copy it again',
		);
	}
	return {
		baseUrl: checkedBaseUrl(trimmed(credential.baseUrl)),
		accessToken,
		webhookSecret: trimmed(credential.webhookSecret),
		decrypted: {
			id: '',
			name: '',
			type: CREDENTIAL_TYPE,
			data: { ...credential, accessToken },
		},
	};
}

function checkedBaseUrl(baseUrl: string): string {
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	if (!url || url.search || url.hash || url.username || url.password) {
		throw new CredentialError(
			'The Base URL in the credential must be a plain web address, such as https://assessment.example.com',
		);
	}
	if (!isSecureUrl(url)) {
		throw new CredentialError(
			'The Base URL in the credential must begin with https://, so that the access token stays private',
		);
	}
	return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** True for https, and for http that does not leave the machine. */
export function isSecureUrl({ protocol, hostname }: URL): boolean {
	return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function isLoopback(host: string): boolean {
	return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

function trimmed(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
