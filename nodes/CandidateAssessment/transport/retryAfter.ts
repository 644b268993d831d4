/**
 * Retry-After in both its forms (seconds, or an HTTP date) as milliseconds. A date is one of the
 * service's clock, which its Date header shows.
 * @param now milliseconds since 1970
 */
export function parseRetryAfter(
	headers: Readonly<Record<string, unknown>>,
	now: number,
): number | undefined {
	const header = headers['retry-after'];
	if (typeof header !== 'string') return undefined;
	const value = header.trim();
	if (/^\d+$/.test(value)) return Number(value) * 1000;
	const wait = parseDate(value) - (parseDate(headers.date) || now);
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Date.parse makes a date of almost anything with a number in it, "-1" among them. */
function parseDate(value: unknown): number {
	return typeof value === 'string' && /\d\d:\d\d:\d\d/.test(value) ? Date.parse(value) : NaN;
}
