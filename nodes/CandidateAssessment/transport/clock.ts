import { sleep } from 'n8n-workflow';

/** Time and chance, injected so that a test can control them. */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	sleep(milliseconds: number): Promise<void>;
	/** From 0 to 1. */
	random(): number;
}

export const realClock: Clock = { now: () => Date.now(), sleep, random: () => Math.random() };
