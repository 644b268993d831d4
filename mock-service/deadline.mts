/** The specification's "within 3 months of the current date". */
export const deadlineMonths = 3;

/**
 * The latest deadline that an invitation made now may have, which is also the one it gets when none is
 * given (specification, "Limits"). Three calendar months, in UTC; where that month is too short for the
 * day, its last day: 30 November leads to 28 or 29 February.
 *
 * @param now the present moment
 * @returns the same time of day, three months on
 */
export function latestDeadline(now: Date): Date {
	const latest = new Date(now);
	latest.setUTCMonth(now.getUTCMonth() + deadlineMonths);
	// A day that the month lacks runs over into the next one: back to the last day before it.
	if (latest.getUTCDate() !== now.getUTCDate()) latest.setUTCDate(0);
	return latest;
}

/**
 * Checks a deadline that is already known to be a UTC date-time.
 *
 * @returns the rule that it breaks, or undefined
 */
export function brokenDeadlineRule(deadline: string, now: Date): string | undefined {
	const time = Date.parse(deadline);
	if (Number.isNaN(time)) return 'must be a UTC date-time (ISO 8601)';
	if (time <= now.getTime()) return 'must be in the future';
	if (time > latestDeadline(now).getTime()) {
		return `must be within ${deadlineMonths} months of the current date`;
	}
	return undefined;
}
