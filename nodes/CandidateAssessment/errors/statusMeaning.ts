/**
 * The 4xx that RFC 9110 or IANA's registry of status codes defines, without 408. Others, such as 460 and 499, come from
 * proxies that gave up waiting: like 408 and 5xx, they leave open whether the request was carried out.
 */
const DEFINED = /^4(0[0-79]|1[0-7]|2[1-689]|31|51)$/;

/** Any 2xx. The specification shows 200 only. */
export const isSuccess = (status: number) => Math.floor(status / 100) === 2;

export interface Meaning {
	kind: 'refused' | 'unknown';
	retry: 'always' | 'ifRepeatable' | 'never';
	/** The requests that would fail the same way. */
	scope: 'all' | 'request' | 'unclear';
}

/** The meaning of a failed request's status; the specification shows only 200. */
export function meaningOf(status: number, { isPage = false, hasError = false } = {}): Meaning {
	// It shows no success, whatever its status says.
	if (isSuccess(status) && hasError) return { kind: 'refused', retry: 'never', scope: 'unclear' };
	// It names another address instead of carrying out the request. 302 and 303 may do both.
	if ([301, 307, 308].includes(status)) return { kind: 'refused', retry: 'never', scope: 'all' };
	if (status < 400) return { kind: 'unknown', retry: 'never', scope: 'unclear' };
	// Nobody has looked at the request.
	if (status === 429) return { kind: 'refused', retry: 'always', scope: 'all' };
	// It refuses the token, the account, or n8n.
	if ([401, 402, 407].includes(status)) return { kind: 'refused', retry: 'never', scope: 'all' };
	// A server without the API.
	if (status === 404 && isPage) return { kind: 'refused', retry: 'never', scope: 'all' };
	if (!DEFINED.test(String(status)))
		return { kind: 'unknown', retry: 'ifRepeatable', scope: 'unclear' };
	// Other pages may come from a firewall that objects to this one request, and 403 has many reasons.
	if (isPage || status === 403) return { kind: 'refused', retry: 'never', scope: 'unclear' };
	return { kind: 'refused', retry: 'never', scope: 'request' };
}
