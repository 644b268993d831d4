/** Longer than any work that waits for neither a timer nor a request. */
const TURNS_OF_REST = 10;

interface Timer {
	at: number;
	fire(): void;
}

/**
 * A clock that advances only when a test lets it. The package's waiting (`sleep` of n8n-workflow,
 * `AbortSignal.timeout`) follows it; see `useVirtualTime`.
 */
export class VirtualClock {
	now = Date.UTC(2026, 0, 15);
	private timers: Timer[] = [];
	/** Requests on their way. Time stands still for them. */
	inFlight = 0;

	after(milliseconds: number, fire: () => void): void {
		this.timers.push({ at: this.now + milliseconds, fire });
	}

	async sleep(milliseconds: number): Promise<void> {
		await new Promise<void>((resolve) => this.after(milliseconds, resolve));
	}

	timeout(milliseconds: number): AbortSignal {
		const controller = new AbortController();
		this.after(milliseconds, () => controller.abort(new DOMException('', 'TimeoutError')));
		return controller.signal;
	}

	/** Forgets all timers: the process that set them is gone. */
	clear(): void {
		this.timers = [];
	}

	/** Lets time pass until the promise is settled, or until `isOver`. */
	async until<T>(promise: Promise<T>, isOver = () => false): Promise<T | undefined> {
		let isSettled = false;
		const settle = () => (isSettled = true);
		promise.then(settle, settle);
		while (true) {
			await this.rest();
			if (isSettled) return await promise;
			if (isOver()) return undefined;
			if (!this.next(Infinity)) throw new Error('It waits for something that never comes');
		}
	}

	/** Lets this much time pass. */
	async pass(milliseconds: number): Promise<void> {
		const end = this.now + milliseconds;
		do await this.rest();
		while (this.next(end));
		this.now = end;
	}

	/** Waits until only timers are left. */
	private async rest(): Promise<void> {
		for (let quiet = 0; quiet < TURNS_OF_REST; quiet++) {
			await new Promise(setImmediate);
			if (this.inFlight > 0) quiet = -1;
		}
	}

	/** Fires the next timer that is due by then. */
	private next(end: number): boolean {
		const [timer] = this.timers.sort((one, other) => one.at - other.at);
		if (!timer || timer.at > end) return false;
		this.timers.shift();
		this.now = Math.max(this.now, timer.at);
		timer.fire();
		return true;
	}
}
