import { backoff } from './backoff';
import type { Clock } from './clock';

interface Waiting {
	retries: number;
	resolve(): void;
	reject(reason: unknown): void;
}

/**
 * How fast the requests of a batch follow one another: so many under way at once, and none while the
 * service has asked to wait. After that, only as many as went through when it pushed back, and half as
 * many at most; one more each time that as many as may be under way have gone through. So a batch
 * finds out by itself what the service takes.
 */
export class AdaptiveLimiter {
	private limit: number;
	/** Requests since the bound rose last. */
	private succeeded = 0;
	private inFlight = 0;
	private waiting: Waiting[] = [];

	private pausedUntil = 0;
	private isPauseWatched = false;
	/** How many were under way when the pause began, and how many of them were pushed back. */
	private inFlightBefore = 0;
	private throttled = 0;
	/** Pauses, less the requests that have gone through meanwhile. */
	private pauses = 0;

	/**
	 * @param maxLimit requests under way at once, at most and at first
	 * @param signal when aborted, nobody gets a turn any more
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
	 * Resolves when a request may go out; `end` must follow. Those that were pushed back come first,
	 * or they would run out of retries. Rejects with the reason of `stop` when that is aborted.
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

	/** The request that had its turn went through; in a pause it was sent too long ago to say anything. */
	onSuccess(): void {
		if (this.pauseLeft() > 0) return;
		this.pauses = Math.max(0, this.pauses - 1);
		this.succeeded++;
		if (this.succeeded < this.limit || this.limit >= this.maxLimit) return;
		this.limit++;
		this.succeeded = 0;
	}

	/**
	 * The service pushed a request back, and wants nobody to send for so many milliseconds, if it says
	 * so. A longer pause already asked for stays.
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

	/** The request that had its turn is over, whatever came of it. */
	release(): void {
		this.inFlight--;
		if (this.waiting.length === 0) return;
		// Not at once: where it failed, the batch may be about to stop.
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
		// Where nobody waits no timer is to outlive the batch.
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
