import { deepStrictEqual } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Reads until what is read is as expected; fails with the difference where it does not come to that. */
export async function eventually<T>(
	read: () => Promise<T>,
	expected: T,
	timeoutMs = 15_000,
): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		try {
			deepStrictEqual(await read(), expected);
			return;
		} catch (error) {
			if (Date.now() > deadline) throw error;
			await sleep(100);
		}
	}
}
