import { setTimeout as sleep } from 'node:timers/promises';

/** How long to wait before asking again, where nothing else is said. */
export const POLL_MS = 50;

/** Asks, at least once, until there is an answer. Gives undefined when the time is up. */
export async function waitFor<T>(
	timeoutMs: number,
	ask: () => Promise<T | undefined>,
	everyMs = POLL_MS,
): Promise<T | undefined> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined || Date.now() > deadline) return answer;
		await sleep(everyMs);
	}
}
