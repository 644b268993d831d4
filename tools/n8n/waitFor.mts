import { setTimeout as sleep } from 'node:timers/promises';

/** Asks, at least once, until there is an answer. @returns undefined when the time is up */
export async function waitFor<T>(
	timeoutMs: number,
	ask: () => Promise<T | undefined>,
	everyMs = 50,
): Promise<T | undefined> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined || Date.now() > deadline) return answer;
		await sleep(everyMs);
	}
}
