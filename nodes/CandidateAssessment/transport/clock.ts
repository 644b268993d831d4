import { sleep } from 'n8n-workflow';

/** Time and chance, given from outside so that a test can say what they are. */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Waits so many milliseconds; rejects as soon as the signal is aborted. */
	sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
	/** From 0 to 1. */
	random(): number;
}

export const realClock: Clock = {
	now: () => Date.now(),
	random: () => Math.random(),
	async sleep(milliseconds, signal) {
		signal.throwIfAborted();
		let abort: (() => void) | undefined;
		const aborted = new Promise<never>((_resolve, reject) => {
			abort = () => reject(signal.reason as Error);
			signal.addEventListener('abort', abort);
		});
		try {
			// Older versions of n8n know no signal here, which is why the race is needed.
			await Promise.race([sleep(milliseconds, signal), aborted]);
		} finally {
			if (abort) signal.removeEventListener('abort', abort);
		}
	},
};
