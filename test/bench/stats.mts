/** The middle value, or the lower one of two. */
export function median(values: readonly number[]): number {
	return percentile(values, 50);
}

/** The value that the given percentage of values does not exceed. */
export function percentile(values: readonly number[], percent: number): number {
	const sorted = [...values].sort((one, other) => one - other);
	return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)];
}

/** The range of the values relative to their median. */
export function spread(values: readonly number[]): number {
	return (Math.max(...values) - Math.min(...values)) / median(values);
}
