import { backoff } from './backoff';
import type { Clock } from './clock';

interface Waiting {
	retries: number;
	go(): void;
	giveUp(reason: unknown): void;
}

/**
 * How fast the requests of a batch follow one another: so many under way at once, and none while the
 * service has asked to wait. After that, only as many as went through when it pushed back, and half as
 * many at most; one more each time that as many as may be under way have gone through. So a batch
 * finds out by itself what the service takes.
 */
export class Pace {
	private bound: number;
	/** Requests since the bound rose last. */
	private wentThrough = 0;
	private underWay = 0;
	private waiting: Waiting[] = [];

	private pausedUntil = 0;
	private isPauseWatched = false;
	/** How many were under way when the pause began, and how many of them were pushed back. */
	private underWayBefore = 0;
	private pushedBack = 0;
	/** Pauses, less the requests that have gone through meanwhile. */
	private pauses = 0;

	/**
	 * @param most requests under way at once, at most and at first
	 * @param stop when aborted, nobody gets a turn any more
	 */
	constructor(
		private readonly most: number,
		private readonly clock: Clock,
		private readonly stop: AbortSignal,
	) {
		this.bound = most;
		stop.addEventListener('abort', () => {
			for (const { giveUp } of this.waiting.splice(0)) giveUp(stop.reason);
		});
	}

	/**
	 * Resolves when a request may go out; `end` must follow. Those that were pushed back come first,
	 * or they would run out of retries. Rejects with the reason of `stop` when that is aborted.
	 */
	async turn(retries: number): Promise<void> {
		this.stop.throwIfAborted();
		await new Promise<void>((go, giveUp) => {
			const behind = this.waiting.findIndex((other) => other.retries < retries);
			const place = behind < 0 ? this.waiting.length : behind;
			this.waiting.splice(place, 0, { retries, go, giveUp });
			this.letGo();
		});
	}

	/** The request that had its turn went through; in a pause it was sent too long ago to say anything. */
	rise(): void {
		if (this.pauseLeft() > 0) return;
		this.pauses = Math.max(0, this.pauses - 1);
		this.wentThrough++;
		if (this.wentThrough < this.bound || this.bound >= this.most) return;
		this.bound++;
		this.wentThrough = 0;
	}

	/**
	 * The service pushed a request back, and wants nobody to send for so many milliseconds, if it says
	 * so. A longer pause already asked for stays.
	 */
	fall(milliseconds?: number): void {
		const isFirst = this.pauseLeft() <= 0;
		if (isFirst) {
			this.underWayBefore = this.underWay;
			this.pushedBack = 0;
			this.wentThrough = 0;
		}
		this.pushedBack++;
		const half = Math.floor(this.underWayBefore / 2);
		this.bound = Math.max(1, Math.min(half, this.underWayBefore - this.pushedBack));

		const pause = milliseconds ?? (isFirst ? backoff(this.pauses, this.clock) : 0);
		this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + pause);
		if (isFirst) this.pauses++;
		this.letGo();
	}

	/** The request that had its turn is over, whatever came of it. */
	end(): void {
		this.underWay--;
		if (this.waiting.length === 0) return;
		// Not at once: where it failed, the batch may be about to stop.
		void this.clock.sleep(0, this.stop).then(
			() => this.letGo(),
			() => {},
		);
	}

	private letGo(): void {
		const isPaused = this.pauseLeft() > 0;
		while (!isPaused && this.underWay < this.bound && this.waiting.length > 0) {
			this.underWay++;
			this.waiting.shift()?.go();
		}
		// Where nobody waits no timer is to outlive the batch.
		if (isPaused && this.waiting.length > 0 && !this.isPauseWatched) void this.goOnAfterPause();
	}

	private async goOnAfterPause(): Promise<void> {
		this.isPauseWatched = true;
		try {
			// The pause can grow meanwhile.
			while (this.pauseLeft() > 0) await this.clock.sleep(this.pauseLeft(), this.stop);
		} catch {
			return; // Stopped: nobody waits any more.
		}
		this.isPauseWatched = false;
		this.letGo();
	}

	private pauseLeft(): number {
		return this.pausedUntil - this.clock.now();
	}
}
