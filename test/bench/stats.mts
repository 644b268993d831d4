/** The middle one; of two, the lower. */
export function median(values: readonly number[]): number {
	return percentile(values, 50);
}

/** The value that so many percent do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
	const sorted = [...values].sort((one, other) => one - other);
	return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)];
}

/** How far the runs lie apart, as a share of their median. */
export function spread(values: readonly number[]): number {
	return (Math.max(...values) - Math.min(...values)) / median(values);
}
