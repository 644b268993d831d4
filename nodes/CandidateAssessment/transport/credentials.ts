import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

/** Every path of the API begins with it. Specification, "Versioning". */
export const API_PATH = '/partner/v1.0';

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

/** A request of any node. HTTP Request has some fields of its own. */
type NodeRequest = IHttpRequestOptions & { uri?: unknown; rejectUnauthorized?: boolean };

/** Adds the access token. Throws `CredentialError` if the request could send it elsewhere, or expose it. */
export function withToken(request: NodeRequest, { baseUrl, accessToken }: ApiCredentials) {
	const { origin, host } = new URL(baseUrl);
	if (requestUrl(request)?.origin !== origin) {
		throw new CredentialError(
			'The access token can only be sent to the Base URL in its credential. Use a different credential for this address.',
		);
	}
	if (canBeRead(request)) {
		throw new CredentialError(
			"To protect the access token, this credential can't be used with 'Proxy', 'Ignore SSL Issues', 'SSL Certificates', or TRACE. Remove them from this node.",
		);
	}
	return {
		...request,
		// A shared front end passes the request on to the host named here.
		headers: { ...inOneSpelling(request.headers), host, authorization: `Bearer ${accessToken}` },
		// n8n would send the token wherever a redirect leads. HTTP Request has the last two.
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	};
}

/** The address that n8n would send a request to. */
function requestUrl(request: NodeRequest): URL | undefined {
	const own = String(request.url ?? request.uri);
	// As n8n's client joins them: `new URL` would also take a host from "\\host" or " https://host".
	const isAbsolute = /^([a-z][a-z\d+.-]*:)?\/\//i.test(own);
	const url = request.baseURL && !isAbsolute ? `${request.baseURL}/${own}` : own;
	return URL.canParse(url) ? new URL(url) : undefined;
}

/** True if a proxy or a host with an unchecked certificate could read the token, or if the response repeats it. */
function canBeRead(request: NodeRequest): boolean {
	return !!(
		request.proxy ||
		request.agentOptions ||
		request.skipSslCertificateValidation ||
		request.rejectUnauthorized === false ||
		/^trace$/i.test(request.method ?? '')
	);
}

/** n8n's client drops spaces around a header's name, and would look for headers in an object, such as `common`. */
function inOneSpelling(headers: IDataObject = {}): IDataObject {
	return Object.fromEntries(
		Object.entries(headers)
			.filter(([, value]) => typeof value !== 'object' || Array.isArray(value))
			.map(([name, value]) => [name.trim().toLowerCase(), value]),
	);
}
