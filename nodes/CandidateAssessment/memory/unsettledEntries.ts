/**
 * In milliseconds after a write, when it is looked at again. Another process that has read before it
 * undoes it when it writes back: after some milliseconds as a rule, after a second on a busy machine.
 */
const LOOKS = [100, 1_000, 3_000];

/** In milliseconds without a write, before a look of its own that nothing new is due for. */
const REST = 1_000;

interface Unsettled {
	writtenAt: number;
	/** So many looks have found it. */
	looks: number;
}

/** The entries that this process has written and another may still undo. Times are in milliseconds. */
export class UnsettledEntries {
	private readonly entries = new Map<string, Unsettled>();
	private lastWrite = 0;

	get size(): number {
		return this.entries.size;
	}

	has(entry: string): boolean {
		return this.entries.has(entry);
	}

	delete(entry: string): void {
		this.entries.delete(entry);
	}

	clear(): void {
		this.entries.clear();
	}

	/** What a write at this time has to write again: what no look has found yet, and what is due for one. */
	toWriteAgain(now: number): string[] {
		const again = [...this.entries].filter(([, one]) => isNew(one) || isDue(one, now));
		return again.map(([entry]) => entry);
	}

	/**
	 * An entry was written.
	 * @param readAt when the entries were read that it was written with
	 */
	onWritten(entry: string, wasThere: boolean, readAt: number, writtenAt: number): void {
		this.lastWrite = writtenAt;
		const unsettled = this.entries.get(entry);
		if (!wasThere) this.entries.set(entry, { writtenAt, looks: 0 });
		else if (unsettled && isDue(unsettled, readAt) && ++unsettled.looks === LOOKS.length) {
			this.entries.delete(entry);
		}
	}

	/** How long to wait before asking whether a look is needed: at any time something new can come. */
	readonly pause = LOOKS[0];

	/** Whether an entry is due, and nothing is being written that would look at it by the way. */
	needLook(now: number): boolean {
		const quiet = now - this.lastWrite;
		if (quiet < LOOKS[0]) return false;
		const isWorthIt = (one: Unsettled) => isNew(one) || quiet >= REST;
		return [...this.entries.values()].some((one) => isDue(one, now) && isWorthIt(one));
	}
}

function isNew({ looks }: Unsettled): boolean {
	return looks === 0;
}

function isDue({ writtenAt, looks }: Unsettled, now: number): boolean {
	return now - writtenAt >= LOOKS[looks];
}
