import { styleText } from 'node:util';

import { messageOf } from './errors.mts';

/** Marks a line as done. */
export const tick = styleText('green', '✔');
/** Marks a line as failed. */
const cross = styleText('red', '✘');

/** "2 min 5 s" */
export function elapsed(sinceMs: number): string {
	const seconds = Math.round((Date.now() - sinceMs) / 1000);
	return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Runs a step and prints whether it succeeded, with the detail it returns. Rethrows its error. */
export async function step<T extends string | void>(
	what: string,
	action: () => Promise<T>,
): Promise<T> {
	try {
		const result = await action();
		console.log(`${tick} ${what}${result ? `: ${result}` : ''}`);
		return result;
	} catch (error) {
		console.log(`${cross} ${what}: ${messageOf(error)}`);
		throw error;
	}
}
