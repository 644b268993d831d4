/** The specification's "within 3 months of the current date". */
export const deadlineMonths = 3;

/**
 * The latest deadline of an invitation created now, and its default (specification, "Limits"): three
 * calendar months later, in UTC. If that month is too short, its last day: November 30 leads to
 * February 28 or 29.
 *
 * @param now the current time
 * @returns the same time of day, three months later
 */
export function latestDeadline(now: Date): Date {
	const latest = new Date(now);
	latest.setUTCMonth(now.getUTCMonth() + deadlineMonths);
	// A day that the month lacks overflows into the next month: go back to the last day before it.
	if (latest.getUTCDate() !== now.getUTCDate()) latest.setUTCDate(0);
	return latest;
}

/**
 * Checks a deadline that already matches the schema of a UTC date-time.
 *
 * @returns the rule it breaks, or undefined
 */
export function deadlineError(deadline: string, now: Date): string | undefined {
	const time = Date.parse(deadline);
	if (Number.isNaN(time)) return 'must be a UTC date-time (ISO 8601)';
	if (time <= now.getTime()) return 'must be in the future';
	if (time > latestDeadline(now).getTime()) {
		return `must be within ${deadlineMonths} months of the current date`;
	}
	return undefined;
}
