const dateTime = new Intl.DateTimeFormat('en-US', {
	day: 'numeric',
	month: 'short',
	year: 'numeric',
	hour: '2-digit',
	hourCycle: 'h23',
	minute: '2-digit',
	timeZone: 'UTC',
});

/** A timestamp for people: "Nov 20, 2026, 14:05 UTC". */
export const dateLabel = (iso: string) => `${dateTime.format(new Date(iso))} UTC`;

/** The time of day of a timestamp: "14:05:09". */
export const timeLabel = (iso: string) => iso.slice(11, 19);

/** A score type in words: role_fit is "Role fit", reasoning_numeric is "Numeric reasoning". */
export function scoreLabel(type: string): string {
	const words = type.replace(/^reasoning_(.+)$/, '$1_reasoning').replaceAll('_', ' ');
	return words.charAt(0).toUpperCase() + words.slice(1);
}
