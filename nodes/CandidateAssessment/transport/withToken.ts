import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { CredentialError, type ApiCredentials } from './credentials';

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
