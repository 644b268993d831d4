/** Retry-After in both its forms (seconds, or an HTTP date) as milliseconds from `now`. */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
	if (typeof header !== 'string') return undefined;
	const value = header.trim();
	if (/^\d+$/.test(value)) return Number(value) * 1000;
	// Date.parse makes a date of almost anything with a number in it, "-1" among them.
	const wait = /\d\d:\d\d:\d\d/.test(value) ? Date.parse(value) - now : NaN;
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
