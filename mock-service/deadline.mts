import { latestDateOffsetHours, latestEndOfDayOffsetHours } from './assumptions.mts';

/** The specification's "within 3 months of the current date". */
const deadlineMonths = 3;

const hour = 60 * 60 * 1000;

/**
 * The deadline of an invitation that was created without one (specification, "Limits"): the same time of day,
 * three months from now, in UTC.
 */
export function defaultDeadline(now: Date): Date {
	return addMonths(now, deadlineMonths);
}

/** The latest deadline that an invitation created now can have: the end of the last day. */
function latestDeadline(now: Date): Date {
	const today = new Date(now.getTime() + latestDateOffsetHours * hour);
	const lastDay = addMonths(today, deadlineMonths).setUTCHours(23, 59, 59, 999);
	return new Date(lastDay - latestEndOfDayOffsetHours * hour);
}

/** Adds calendar months, to the last day of a month that is too short: November 30 to February 28 or 29. */
function addMonths(date: Date, months: number): Date {
	const later = new Date(date);
	later.setUTCMonth(date.getUTCMonth() + months);
	// A day that the month lacks overflows into the next month: go back to the last day before it.
	if (later.getUTCDate() !== date.getUTCDate()) later.setUTCDate(0);
	return later;
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
