/**
 * A service's limit: so many a second, and as many at once (one at least). Each call is a request at
 * that time: gives 0 where it is taken, else the milliseconds until there is room again.
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
