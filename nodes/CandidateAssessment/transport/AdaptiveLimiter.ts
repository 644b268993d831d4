import { backoff } from './retryPolicy';
import type { Clock } from './clock';

interface Waiting {
	retries: number;
	resolve(): void;
	reject(reason: unknown): void;
}

/**
 * Limits the requests in flight, and adapts the limit to the service: additive increase, multiplicative
 * decrease (AIMD). While the service has asked to wait, none is sent. Afterwards the limit is what the
 * service let through when it throttled, and at most half of what was in flight; it rises by one each
 * time that as many requests as the limit have succeeded.
 */
export class AdaptiveLimiter {
	private limit: number;
	/** Requests that have succeeded since the limit last changed. */
	private succeeded = 0;
	private inFlight = 0;
	private waiting: Waiting[] = [];

	private pausedUntil = 0;
	private isPauseWatched = false;
	/** Requests in flight when the pause began, and how many of them were throttled. */
	private inFlightBefore = 0;
	private throttled = 0;
	/** Pauses, less the requests that have succeeded meanwhile. */
	private pauses = 0;

	/**
	 * @param maxLimit requests in flight, at most and at first
	 * @param signal once aborted, no request may start
	 */
	constructor(
		private readonly maxLimit: number,
		private readonly clock: Clock,
		private readonly signal: AbortSignal,
	) {
		this.limit = maxLimit;
		signal.addEventListener('abort', () => {
			for (const { reject } of this.waiting.splice(0)) reject(signal.reason);
		});
	}

	/**
	 * Resolves when a request may start; `release` must follow. Retries go first, or they would run out
	 * of retries. Rejects with the signal's reason once that is aborted.
	 */
	async acquire(retries: number): Promise<void> {
		this.signal.throwIfAborted();
		await new Promise<void>((resolve, reject) => {
			const behind = this.waiting.findIndex((other) => other.retries < retries);
			const place = behind < 0 ? this.waiting.length : behind;
			this.waiting.splice(place, 0, { retries, resolve, reject });
			this.dispatch();
		});
	}

	/** A request succeeded. During a pause it was sent too long ago to say anything. */
	onSuccess(): void {
		if (this.pauseLeft() > 0) return;
		this.pauses = Math.max(0, this.pauses - 1);
		this.succeeded++;
		if (this.succeeded < this.limit || this.limit >= this.maxLimit) return;
		this.limit++;
		this.succeeded = 0;
	}

	/**
	 * The service throttled a request, and wants nobody to send for some milliseconds, if it says so. A
	 * longer pause already asked for stays.
	 */
	onThrottled(milliseconds?: number): void {
		const isFirst = this.pauseLeft() <= 0;
		if (isFirst) {
			this.inFlightBefore = this.inFlight;
			this.throttled = 0;
			this.succeeded = 0;
		}
		this.throttled++;
		const half = Math.floor(this.inFlightBefore / 2);
		this.limit = Math.max(1, Math.min(half, this.inFlightBefore - this.throttled));

		const pause = milliseconds ?? (isFirst ? backoff(this.pauses, this.clock) : 0);
		this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + pause);
		if (isFirst) this.pauses++;
		this.dispatch();
	}

	/** A request has ended, whatever came of it. */
	release(): void {
		this.inFlight--;
		if (this.waiting.length === 0) return;
		// Not at once: if it failed, the batch may be about to stop.
		void this.clock.sleep(0, this.signal).then(
			() => this.dispatch(),
			() => {},
		);
	}

	private dispatch(): void {
		const isPaused = this.pauseLeft() > 0;
		while (!isPaused && this.inFlight < this.limit && this.waiting.length > 0) {
			this.inFlight++;
			this.waiting.shift()?.resolve();
		}
		// Without anybody waiting, a timer would outlive the batch.
		if (isPaused && this.waiting.length > 0 && !this.isPauseWatched) void this.dispatchAfterPause();
	}

	private async dispatchAfterPause(): Promise<void> {
		this.isPauseWatched = true;
		try {
			// The pause can grow meanwhile.
			while (this.pauseLeft() > 0) await this.clock.sleep(this.pauseLeft(), this.signal);
		} catch {
			return; // Stopped: nobody waits any more.
		}
		this.isPauseWatched = false;
		this.dispatch();
	}

	private pauseLeft(): number {
		return this.pausedUntil - this.clock.now();
	}
}
