/**
 * The 4xx that RFC 9110 or IANA's registry of status codes defines, without 408. Others, such as 460 and 499, come from
 * proxies that gave up waiting: like 408 and 5xx, they leave open whether the request was carried out.
 */
const REGISTERED = [
	400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422,
	423, 424, 425, 426, 428, 429, 431, 451,
];

/** Any 2xx. The specification shows 200 only. */
export const isSuccess = (status: number) => Math.floor(status / 100) === 2;

export type StatusMeaning = ReturnType<typeof meaningOf>;

/** The meaning of a failed request's status; the specification shows only 200. `scope`: which requests would fail the same way. */
export function meaningOf(status: number, { isPage = false, hasError = false } = {}) {
	// These name another address instead of carrying out the request. 302 and 303 may do both.
	const isMoved = [301, 307, 308].includes(status);
	const isRefused = isMoved || REGISTERED.includes(status) || (isSuccess(status) && hasError);
	const isForAll = isMoved || [401, 402, 407, 429].includes(status) || (isPage && status === 404);
	// Other pages may come from a firewall that objects to this one request, and 403 has many reasons.
	const isUnclear = !isRefused || isSuccess(status) || isPage || status === 403;
	return {
		kind: isRefused ? 'refused' : 'unknown',
		retry: status === 429 ? 'always' : isRefused || status < 400 ? 'never' : 'ifRepeatable',
		scope: isForAll ? 'all' : isUnclear ? 'unclear' : 'request',
	} as const;
}
