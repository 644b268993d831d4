/** A time zone west of UTC: its days end within UTC's next days. */
export const LOS_ANGELES = 'America/Los_Angeles';

/** A day as written in the United States: "December 15". */
function dayIn(timeZone: string, moment: string): string {
	const format = new Intl.DateTimeFormat('en-US', { timeZone, day: 'numeric', month: 'long' });
	return format.format(new Date(moment));
}

/** The same with the time of day: "December 15, 18:00". */
export function momentIn(timeZone: string, moment: string): string {
	const format = new Intl.DateTimeFormat('sv', { timeZone, hour: '2-digit', minute: '2-digit' });
	return `${dayIn(timeZone, moment)}, ${format.format(new Date(moment))}`;
}

/** A day as an ISO date: "2026-12-15". */
export function isoDayIn(timeZone: string, moment: string | Date): string {
	return new Intl.DateTimeFormat('sv', { timeZone }).format(new Date(moment));
}

/** The last second of the day there, this many days from now. */
export function lastMomentOf(timeZone: string, days: number): Date {
	const moment = new Date(Date.now() + days * 24 * 3_600_000);
	const next = new Date(Math.ceil(moment.getTime() / 3_600_000) * 3_600_000);
	while (isoDayIn(timeZone, next) === isoDayIn(timeZone, moment))
		next.setTime(next.getTime() + 3_600_000);
	return new Date(next.getTime() - 1000);
}
