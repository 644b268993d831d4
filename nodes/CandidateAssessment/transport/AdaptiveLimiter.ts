import type { Clock } from './clock';

/** If more started at once, the first request would wait until n8n has prepared the last (docs/profile.md). */
const STARTS_AT_ONCE = 6;

/**
 * Limits the requests in flight, and adapts the limit to the service (additive increase, multiplicative
 * decrease). While the service has asked to wait, no request starts. Afterwards the limit is half of what
 * was in flight, less one for each further request that was throttled. It rises by one whenever as many
 * requests as the limit have succeeded.
 */
export class AdaptiveLimiter {
	private limit: number;
	private inFlight = 0;
	private isDispatching = false;
	private pausedUntil = 0;
	private waiting: Array<{ retries: number; resume(): void }> = [];
	private readonly stopped: Promise<unknown>;

	/**
	 * @param maxLimit requests in flight, at most and at first
	 * @param signal once aborted, nothing waits any longer
	 */
	constructor(
		private readonly maxLimit: number,
		private readonly clock: Clock,
		private readonly signal: AbortSignal,
	) {
		this.limit = maxLimit;
		this.stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
		signal.addEventListener('abort', () =>
			this.waiting.splice(0).forEach(({ resume }) => resume()),
		);
	}

	/**
	 * Resolves when a request may start; `release` must follow. Retries go first, or they would run out
	 * of retries. Once the signal is aborted, it resolves at once, and no request may start.
	 * @param delay before the request joins the queue, in milliseconds
	 */
	async acquire(retries: number, delay = 0): Promise<void> {
		if (delay > 0) await Promise.race([this.clock.sleep(delay), this.stopped]);
		if (this.signal.aborted) return;
		await new Promise<void>((resume) => {
			this.waiting.push({ retries, resume });
			this.waiting.sort((one, other) => other.retries - one.retries);
			if (this.inFlight === 0) this.dispatch();
			else this.dispatchAfter(0);
		});
	}

	/** A request succeeded. Ignored during a pause: the request was sent before it. */
	onSuccess(): void {
		if (this.pauseLeft() > 0) return;
		this.limit = Math.min(this.maxLimit, this.limit + 1 / Math.floor(this.limit));
	}

	/** The service throttled a request: none starts for some milliseconds. A longer pause stays. */
	onThrottled(milliseconds: number): void {
		const isFirst = this.pauseLeft() <= 0;
		this.limit = Math.max(1, isFirst ? Math.floor(this.inFlight / 2) : this.limit - 1);
		this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + milliseconds);
	}

	/** A request has ended, in success or failure. */
	release(): void {
		this.inFlight--;
		// Not at once: if it failed, the batch may be about to stop.
		this.dispatchAfter(0);
	}

	private dispatch(): void {
		const pause = this.pauseLeft();
		if (pause > 0) return this.dispatchAfter(pause);
		const free = Math.floor(this.limit - this.inFlight);
		const starting = this.waiting.splice(0, Math.min(free, STARTS_AT_ONCE));
		this.inFlight += starting.length;
		for (const { resume } of starting) resume();
		if (free > starting.length) this.dispatchAfter(0);
	}

	private dispatchAfter(milliseconds: number): void {
		// While no request waits, a timer would only outlive the batch.
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
