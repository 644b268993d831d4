import { sleep } from 'n8n-workflow';

const TURN_MS = 10;

/** Gives what to await between two pieces of long work: after ten milliseconds it lets others have n8n's one thread. */
export function yieldToEventLoop(): () => Promise<void> {
	let since = performance.now();
	return async () => {
		if (performance.now() - since < TURN_MS) return;
		await sleep(1);
		since = performance.now();
	};
}
