import type { Clock } from './clock';

/** The pause that all requests of a batch keep when the service has pushed one of them back. */
export class Pushback {
	private until = 0;

	constructor(private readonly clock: Clock) {}

	/** Nobody sends before so many milliseconds from now; a longer pause already asked for stays. */
	pause(milliseconds: number): void {
		this.until = Math.max(this.until, this.clock.now() + milliseconds);
	}

	/** Resolves when a request may go out; rejects when the signal is aborted. */
	async over(signal: AbortSignal): Promise<void> {
		// The pause can grow while one waits for its end.
		for (let left = this.left(); left > 0; left = this.left()) {
			await this.clock.sleep(left, signal);
		}
	}

	private left(): number {
		return this.until - this.clock.now();
	}
}
