import type { Clock } from './clock';

const FIRST = 500;
const LONGEST = 30_000;

/**
 * How long to wait where the service does not say, in milliseconds: twice as long after each try,
 * with jitter so that many senders do not come back at once.
 */
export function backoff(tries: number, clock: Pick<Clock, 'random'>): number {
	return Math.min(LONGEST, FIRST * 2 ** tries) * (0.5 + clock.random() / 2);
}
