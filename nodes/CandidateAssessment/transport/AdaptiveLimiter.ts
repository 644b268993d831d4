import { sleep } from 'n8n-workflow';

/**
 * Limits the requests in flight: one at a time until one has succeeded. Then the limit adapts to the service (additive
 * increase, multiplicative decrease): a throttled request pauses all and lowers the limit to half the number in flight;
 * each further one during that pause lowers it by one. It rises by one after as many successes as the limit.
 */
export class AdaptiveLimiter {
	private limit: number;
	/** Since the limit changed. */
	private successes = 0;
	private isFirst = true;
	private inFlight = 0;
	private pausedUntil = 0;
	private waiting: Array<{ retries: number; resume(): void }> = [];

	constructor(
		private readonly maxLimit: number,
		private readonly signal: AbortSignal,
	) {
		this.limit = maxLimit;
		signal.addEventListener('abort', () =>
			this.waiting.splice(0).forEach(({ resume }) => resume()),
		);
	}

	/** Resolves when a request may start (the most retries first); `release` must follow. After an abort, none may. */
	async acquire(retries: number): Promise<void> {
		if (this.signal.aborted) return;
		await new Promise<void>((resume) => {
			this.waiting.push({ retries, resume });
			this.waiting.sort((one, other) => other.retries - one.retries);
			// A timer would cost a millisecond.
			if (this.inFlight === 0) this.dispatch();
			else this.dispatchAfter(0);
		});
	}

	onSuccess(): void {
		this.isFirst = false;
		// A request that succeeds during a pause was sent before it.
		if (this.isPaused() || ++this.successes < this.limit) return;
		this.setLimit(Math.min(this.maxLimit, this.limit + 1));
	}

	/** No request starts for some milliseconds. A longer pause stays. */
	onThrottled(milliseconds: number): void {
		const lower = this.isPaused() ? this.limit - 1 : Math.floor(this.inFlight / 2);
		this.setLimit(Math.max(1, lower));
		this.pausedUntil = Math.max(this.pausedUntil, Date.now() + milliseconds);
	}

	release(): void {
		this.inFlight--;
		// Deferred, so that a failure can stop the batch first.
		this.dispatchAfter(0);
	}

	private dispatch(): void {
		if (this.isPaused()) return this.dispatchAfter(this.pausedUntil - Date.now());
		const limit = this.isFirst ? 1 : this.limit;
		while (this.waiting.length > 0 && this.inFlight < limit) {
			this.inFlight++;
			this.waiting.shift()?.resume();
		}
	}

	private dispatchAfter(milliseconds: number): void {
		// While no request waits, a timer would only outlive the batch. Several do no harm.
		if (this.waiting.length === 0) return;
		void sleep(milliseconds).then(() => this.dispatch());
	}

	private setLimit(limit: number): void {
		this.limit = limit;
		this.successes = 0;
	}

	private isPaused(): boolean {
		return this.pausedUntil > Date.now();
	}
}
