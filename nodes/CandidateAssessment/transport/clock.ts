import { sleep } from 'n8n-workflow';
import { raceAbort } from './abort';

/** Time and chance, injected so that a test can control them. */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Waits for some milliseconds; rejects with the signal's reason as soon as that is aborted. */
	sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
	/** From 0 to 1. */
	random(): number;
}

export const realClock: Clock = {
	now: () => Date.now(),
	random: () => Math.random(),
	sleep: async (milliseconds, signal) => await raceAbort(sleep(milliseconds, signal), signal),
};
