import type { Clock } from './clock';

/** With thirty in one go, the first would not be on its way before n8n has made the last (docs/profile.md). */
const STARTS_AT_ONCE = 6;

/**
 * Limits the requests in flight, and adapts the limit to the service (additive increase, multiplicative
 * decrease). While the service has asked to wait, none is sent. Afterwards the limit is half of what was
 * in flight, less one for each other request that was throttled; it rises by one each time that as many
 * requests as the limit have succeeded.
 */
export class AdaptiveLimiter {
	private limit: number;
	private inFlight = 0;
	private isDispatching = false;
	private pausedUntil = 0;
	private waiting: Array<{ retries: number; resume(): void }> = [];

	/**
	 * @param maxLimit requests in flight, at most and at first
	 * @param signal once aborted, nobody waits any longer
	 */
	constructor(
		private readonly maxLimit: number,
		private readonly clock: Clock,
		private readonly signal: AbortSignal,
	) {
		this.limit = maxLimit;
		signal.addEventListener('abort', () =>
			this.waiting.splice(0).forEach(({ resume }) => resume()),
		);
	}

	/**
	 * Resolves when a request may start; `release` must follow. Retries go first, or they would run out
	 * of retries. Once the signal is aborted, it resolves at once, and no request may start.
	 */
	async acquire(retries: number): Promise<void> {
		if (this.signal.aborted) return;
		await new Promise<void>((resume) => {
			this.waiting.push({ retries, resume });
			this.waiting.sort((one, other) => other.retries - one.retries);
			if (this.inFlight === 0) this.dispatch();
			else this.dispatchAfter(0);
		});
	}

	/** A request succeeded. During a pause it was sent too long ago to say anything. */
	onSuccess(): void {
		if (this.pauseLeft() > 0) return;
		this.limit = Math.min(this.maxLimit, this.limit + 1 / Math.floor(this.limit));
	}

	/** The service throttled a request: nobody sends for some milliseconds. A longer pause stays. */
	onThrottled(milliseconds: number): void {
		const isFirst = this.pauseLeft() <= 0;
		this.limit = Math.max(1, isFirst ? Math.floor(this.inFlight / 2) : this.limit - 1);
		this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + milliseconds);
	}

	/** A request has ended, whatever came of it. */
	release(): void {
		this.inFlight--;
		// Not at once: if it failed, the batch may be about to stop.
		this.dispatchAfter(0);
	}

	private dispatch(): void {
		const pause = this.pauseLeft();
		// In steps: the batch may be stopped long before the pause is over.
		if (pause > 0) return this.dispatchAfter(Math.min(pause, 1000));
		const free = Math.floor(this.limit - this.inFlight);
		const starting = this.waiting.splice(0, Math.min(free, STARTS_AT_ONCE));
		this.inFlight += starting.length;
		for (const { resume } of starting) resume();
		if (free > starting.length) this.dispatchAfter(0);
	}

	private dispatchAfter(milliseconds: number): void {
		// Without anybody waiting, a timer would outlive the batch.
		if (this.isDispatching || this.waiting.length === 0) return;
		this.isDispatching = true;
		void this.clock.sleep(milliseconds).then(() => {
			this.isDispatching = false;
			this.dispatch();
		});
	}

	private pauseLeft(): number {
		return this.pausedUntil - this.clock.now();
	}
}
