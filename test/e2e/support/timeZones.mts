import { DateTime } from 'luxon';

/** A time zone west of UTC: its days end within UTC's next days. */
export const LOS_ANGELES = 'America/Los_Angeles';

/** A moment as written in the United States: "December 15, 18:00". */
export const momentIn = (zone: string, moment: string) =>
	DateTime.fromISO(moment, { zone, locale: 'en-US' }).toFormat('MMMM d, HH:mm');

/** Its day as an ISO date: "2026-12-15". */
export const isoDayIn = (zone: string, moment: string) =>
	DateTime.fromISO(moment, { zone }).toFormat('yyyy-MM-dd');

/** The last second of the day there, this many days from now. */
export const lastMomentOf = (zone: string, days: number) =>
	DateTime.now().setZone(zone).plus({ days }).endOf('day').startOf('second').toJSDate();
