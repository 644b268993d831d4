import type { Clock } from './clock';

const INITIAL_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/**
 * How long to wait if the service does not say, in milliseconds: twice as long after each retry, with
 * jitter so that many senders do not come back at once.
 */
export function backoff(retries: number, clock: Pick<Clock, 'random'>): number {
	return Math.min(MAX_DELAY_MS, INITIAL_DELAY_MS * 2 ** retries) * (0.5 + clock.random() / 2);
}
