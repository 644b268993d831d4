/**
 * A service's rate limit: a number of requests a second, and as many at once (at least one). Each call is a
 * request at that time. Returns 0 if it is accepted, otherwise the milliseconds until there is room again.
 */
export function rateLimit(perSecond: number): (now: number) => number {
	const most = Math.max(1, perSecond);
	let left = most;
	let last = 0;
	return (now) => {
		left = Math.min(most, left + ((now - last) / 1000) * perSecond);
		last = now;
		if (left < 1) return ((1 - left) / perSecond) * 1000;
		left--;
		return 0;
	};
}
