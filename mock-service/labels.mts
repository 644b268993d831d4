/** A timestamp for people: "2026-11-20, 14:05 UTC". */
export const dateLabel = (iso: string) => `${iso.slice(0, 10)}, ${iso.slice(11, 16)} UTC`;

/** The time of day of a timestamp: "14:05:09". */
export const timeLabel = (iso: string) => iso.slice(11, 19);

/** A score type in words: role_fit is "Role fit", reasoning_numeric is "Numeric reasoning". */
export function scoreLabel(type: string): string {
	const words = type.replace(/^reasoning_(.+)$/, '$1_reasoning').replaceAll('_', ' ');
	return words.charAt(0).toUpperCase() + words.slice(1);
}
