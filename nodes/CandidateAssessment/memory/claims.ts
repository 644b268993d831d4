import type { Candidacy, Claim, Ended, Memory } from './memory';

/** Whether an item may be sent, or why not. */
export type Admission =
	| { kind: 'send' }
	/** Taken in an earlier execution. */
	| { kind: 'alreadyTaken' }
	/** About to be sent in an earlier execution, with no recorded end. */
	| { kind: 'inDoubt' }
	/** The same application as an earlier item of this list, which was sent. */
	| { kind: 'duplicate'; of: number };

/** How an item that was sent has ended, as far as the memory cares. */
export type Ending = 'taken' | 'notTaken' | 'unknown';

/**
 * Claims the applications of a list before they are sent, group by group. The next group is claimed,
 * and what has ended is recorded with it, once the last of this group is on its way. So no more are
 * in doubt after a crash than twice the requests in flight.
 */
export class Claims {
	private readonly admissions: Admission[] = [];
	/** Claimed in this execution and not yet ended, by item. */
	private readonly open = new Map<number, Claim>();
	/** The item that sends an application, by key. */
	private readonly senders = new Map<string, number>();
	private unsent = 0;
	private inFlight = 0;
	private readonly ended = { taken: [] as Claim[], released: [] as Claim[] };
	private claiming: Promise<unknown> | undefined;

	/**
	 * @param applications by item; an item without one is sent without a claim
	 * @param concurrency requests in flight at once, at most
	 */
	constructor(
		private readonly memory: Memory,
		private readonly applications: ReadonlyArray<Candidacy | undefined>,
		private readonly concurrency: number,
	) {}

	/** Whether an item may be sent. Ask for the items in order; after 'send', `end` must follow. Throws where the memory fails. */
	async admit(index: number): Promise<Admission> {
		while (index >= this.admissions.length) await this.claimNextGroup();
		const admission = this.admissions[index];
		if (this.open.has(index)) {
			this.unsent--;
			this.inFlight++;
		}
		const isMore = this.admissions.length < this.applications.length;
		// Ahead of time: whoever asks next finds what went wrong.
		if (this.unsent === 0 && isMore) void this.claimNextGroup().catch(() => {});
		return admission;
	}

	/** An item that was admitted to be sent has ended. */
	end(index: number, ending: Ending): void {
		const claim = this.open.get(index);
		if (!claim) return;
		this.open.delete(index);
		this.inFlight--;
		switch (ending) {
			case 'taken':
				this.ended.taken.push(claim);
				break;
			case 'notTaken':
				this.ended.released.push(claim);
				break;
			case 'unknown':
				break;
		}
	}

	/** Records what has ended, and releases what was never sent. Throws where the memory fails. */
	async close(): Promise<void> {
		await this.claiming?.catch(() => {});
		this.ended.released.push(...this.open.values());
		this.open.clear();
		await this.recording(async (ended) => await this.memory.settle(ended));
	}

	private async claimNextGroup(): Promise<void> {
		// A failure stays: without the memory nothing more is sent.
		this.claiming ??= this.claimGroup().then(() => (this.claiming = undefined));
		await this.claiming;
	}

	private async claimGroup(): Promise<void> {
		const first = this.admissions.length;
		const { group, end } = this.nextGroup(first);
		const claims = await this.recording(
			async (ended) => await this.memory.claim([...group.values()], ended),
		);
		const claimsByKey = new Map(claims.map((claim) => [claim.key, claim]));
		for (let index = first; index < end; index++) {
			this.admissions.push(this.decide(index, claimsByKey));
		}
	}

	/** Hands over what has ended; if that fails, it is still to be recorded. */
	private async recording<T>(record: (ended: Ended) => Promise<T>): Promise<T> {
		const { taken, released } = this.ended;
		const ended = { taken: [...taken], released: [...released] };
		const result = await record(ended);
		taken.splice(0, ended.taken.length);
		released.splice(0, ended.released.length);
		return result;
	}

	/** As many applications as may be in doubt besides those in flight, each once. */
	private nextGroup(first: number): { group: Map<string, Candidacy>; end: number } {
		const group = new Map<string, Candidacy>();
		const room = 2 * this.concurrency - this.inFlight - this.unsent;
		let end = first;
		for (; end < this.applications.length && group.size < room; end++) {
			const application = this.applications[end];
			if (!application || this.senders.has(application.key)) continue;
			const again = application.again || (group.get(application.key)?.again ?? false);
			group.set(application.key, { key: application.key, again });
		}
		return { group, end };
	}

	private decide(index: number, claims: ReadonlyMap<string, Claim>): Admission {
		const application = this.applications[index];
		if (!application) return { kind: 'send' };
		const sender = this.senders.get(application.key);
		if (sender !== undefined) return { kind: 'duplicate', of: sender };
		const claim = claims.get(application.key) as Claim;
		if (!application.again && claim.before === 'taken') return { kind: 'alreadyTaken' };
		if (!application.again && claim.before === 'inDoubt') return { kind: 'inDoubt' };
		this.senders.set(application.key, index);
		this.open.set(index, claim);
		this.unsent++;
		return { kind: 'send' };
	}
}

/**
 * Those of the applications that were taken before.
 * @param groupSize a crash can leave so many in doubt
 */
export async function lookUp(
	memory: Memory,
	keys: ReadonlySet<string>,
	groupSize: number,
): Promise<Set<string>> {
	const all = [...keys];
	const taken = new Set<string>();
	for (let first = 0; first < all.length; first += groupSize) {
		for (const { key, before } of await memory.look(all.slice(first, first + groupSize))) {
			if (before === 'taken') taken.add(key);
		}
	}
	return taken;
}
