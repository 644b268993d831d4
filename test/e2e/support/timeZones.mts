import { DateTime } from 'luxon';

/** A time zone west of UTC: its days end within UTC's next days. */
export const LOS_ANGELES = 'America/Los_Angeles';

/** The day there, as written in the United States, and the time of day: "December 15, 18:00". */
export function momentIn(zone: string, moment: string): string {
	return DateTime.fromISO(moment, { zone }).toFormat('MMMM d, HH:mm');
}
