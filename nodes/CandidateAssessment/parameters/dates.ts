import { DateTime, type Zone } from 'luxon';
import { fail, integer, kindOf, quoted, type Rule } from './rules';

/** The days in the longest span of 3 months. */
export const MAX_DAYS_AHEAD = 92;

/**
 * The invitation deadline: not in the past, at most 3 calendar months from today. The whole last day counts, in the
 * workflow's time zone or in UTC, whichever ends later.
 * Midnight, in the workflow's time zone or the written one, stands for a date without a time of day: the end of that
 * day. An intended midnight looks the same: a day late does no harm.
 * @param moment returns the present, in the workflow's time zone
 */
export function deadline(moment: () => DateTime): Rule<string> {
	return (value) => {
		const now = valid(moment());
		const written = dateTime(value, now.zone);
		const due = written.setZone(now.zone, { keepLocalTime: isMidnight(written) });
		const name = quoted(typeof value === 'string' ? value : String(due));
		return inTime(isMidnight(due) ? due.endOf('day') : due, name, now);
	};
}

const isMidnight = (time: DateTime) => time.equals(time.startOf('day'));

/** The deadline as a number of days from today. */
export function deadlineDays(moment: () => DateTime): Rule<string> {
	return (value) => {
		const days = integer({ min: 1, max: MAX_DAYS_AHEAD })(value);
		const now = valid(moment());
		return inTime(now.plus({ days }).endOf('day'), `${days} days from now`, now);
	};
}

function inTime(due: DateTime, name: string, now: DateTime): string {
	const sent = due.toUTC().startOf('second');
	if (sent <= now) fail(`${name} is in the past`);
	const [last, lastInUtc] = [now, now.toUTC()].map((day) => day.plus({ months: 3 }).endOf('day'));
	if (due > DateTime.max(last, lastInUtc)) {
		const latest = `the latest possible date is ${last.toISODate()}`;
		fail(`${name} is more than 3 months from today; ${latest}`);
	}
	return sent.toISO({ suppressMilliseconds: true }) as string;
}

/** Takes a calendar day, YYYY-MM-DD, as written, whatever time and time zone follow it. */
export const isoDate: Rule<string> = (value) => dateTime(value, 'utc').toISODate();

/** Reads a date and time as written, in the time zone they name, or else `zone`. A JavaScript date is in UTC. */
function dateTime(value: unknown, zone: string | Zone): DateTime<true> {
	if (DateTime.isDateTime(value)) return valid(value);
	if (value instanceof Date) return valid(DateTime.fromJSDate(value, { zone: 'utc' }));
	if (typeof value !== 'string') {
		return fail(`expected a date such as 2026-12-15, got ${kindOf(value)}`);
	}
	// Luxon would read a time of day alone as today's.
	const text = /^\d{4}-\d\d-\d\d/.test(value.trim()) ? value.trim() : '';
	const sql = DateTime.fromSQL(text, { zone, setZone: true });
	return valid(sql.isValid ? sql : DateTime.fromISO(text, { zone, setZone: true }), value);
}

function valid(date: DateTime, written = String(date)): DateTime<true> {
	if (date.isValid && date.year >= 0 && date.year <= 9999) return date as DateTime<true>;
	if (date.invalidReason === 'unsupported zone') {
		fail("the workflow's time zone isn't valid; choose another in the workflow's settings");
	}
	const advice = 'Use a format such as 2026-12-15 or 2026-12-15T18:00';
	return fail(`not a valid date: ${quoted(written)}. ${advice}`);
}
