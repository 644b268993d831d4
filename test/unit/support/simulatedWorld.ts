import type { Statement } from '../../support/Deduplicator';
import { nextTurn } from '../../support/histories.mts';

/** Anything longer means that somebody waits forever. */
const LONGEST_MS = 10 * 60_000;

/** A party that waits for the world to go on. */
export interface Waiting {
	pausedUntil: number;
	/** After that, it stands still for this many messages of others, so it may wake in the middle of their work. */
	sleepsThrough: number;
	isDead: boolean;
}

export const AWAKE = { pausedUntil: 0, sleepsThrough: 0, isDead: false };

/** The subject of a message: a database statement or an invitation. */
export type Moment = Statement | 'request';

/** A fault, and the message that it hits, numbered from 0 among those of this moment. */
export type Hit = readonly [Moment, number, Fault];

/** A party that exchanges messages, which can go wrong. */
export interface Messenger extends Waiting {
	/** The number of messages it has sent, by moment, and the faults that hit them. */
	sent: Map<Moment, number>;
	faults: readonly Hit[];
	/** Set once a fault has hit it. */
	isFaulty: boolean;
}

/**
 * A fault in a message that a process exchanges with n8n's database or the service:
 * - lost: the connection breaks before the message is there
 * - answerLost: it breaks after the message did what it says, which the process notices later
 * - killed: the process dies while the message is on its way
 * - paused: the process stands still before it sees the answer
 * - late: nothing else
 *
 * The message itself may arrive late, even after its process has died.
 */
export interface Fault {
	kind: 'lost' | 'answerLost' | 'killed' | 'paused' | 'late';
	/** The message's delay, in milliseconds. */
	late: number;
	/** How long it stands still, and for how many messages of others after that. */
	milliseconds: number;
	messages: number;
}

/** Somebody's work. */
export interface Task {
	who: Waiting;
	isOver?: boolean;
	run(): Promise<unknown>;
}

/** Whether it ended, or can have no effect any more. */
export const hasEnded = ({ who, isOver = false }: Task) => isOver || who.isDead;

/** While it lasts, the database refuses connections, or answers nothing until it's over. */
export interface Outage {
	from: number;
	to: number;
	isHanging: boolean;
}

/** A world in which everything that takes time waits for its turn, in any order. Each step advances the clock. */
export class World {
	now = 0;
	/** When the last fault was over. */
	lastFault = 0;
	outage?: Outage;
	/** Called with the wait for the lock since the last fault. */
	onWaitForLock: (process: Messenger, milliseconds: number) => void = () => {};
	private waiting: Array<{ who: Waiting; until: number; goOn(): void }> = [];
	/** Messages under way arrive, whatever happens to their sender. */
	private readonly network: Waiting = { ...AWAKE };

	/** Chance depends on the seed only (mulberry32). */
	constructor(private state: number) {
		// Spies would keep every call.
		Date.now = () => this.now;
		Math.random = () => this.random();
	}

	/** From 0 to 1. */
	random(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	async step(who: Waiting, milliseconds = 0): Promise<void> {
		const until = this.now + milliseconds;
		await new Promise<void>((goOn) => {
			if (!who.isDead) this.waiting.push({ who, until, goOn });
		});
	}

	/** Sends a message, and returns its effect. */
	async exchange<T>(process: Messenger, moment: Moment, effect: () => T): Promise<T> {
		this.countMessage();
		const number = process.sent.get(moment) ?? 0;
		process.sent.set(moment, number + 1);
		const [, , fault] = process.faults.find((hit) => hit[0] === moment && hit[1] === number) ?? [];
		if (fault) {
			process.isFaulty = true;
			this.lastFault = Math.max(this.lastFault, this.now);
		}
		if (fault?.kind === 'killed') this.kill(process);
		await this.step(this.network, fault?.late);
		if (fault) this.lastFault = Math.max(this.lastFault, this.now);
		if (fault?.kind === 'lost') throw new Error('Connection terminated unexpectedly');
		const result = (async () => effect())();
		// Perhaps nobody awaits it.
		result.catch(() => {});
		if (fault?.kind === 'paused' || fault?.kind === 'answerLost') {
			process.pausedUntil = this.now + fault.milliseconds;
			process.sleepsThrough = fault.messages;
			this.lastFault = Math.max(this.lastFault, process.pausedUntil);
		}
		await this.step(process);
		if (fault?.kind === 'answerLost') throw new Error('Connection terminated unexpectedly');
		return await result;
	}

	/** Counts down the messages through which some stand still. */
	countMessage(): void {
		for (const who of new Set(this.waiting.map((each) => each.who))) {
			if (who.sleepsThrough === 0 || this.now < who.pausedUntil) continue;
			who.sleepsThrough--;
			this.lastFault = Math.max(this.lastFault, this.now);
		}
	}

	/** An exchange with the database. */
	async query<T>(process: Messenger, moment: Moment, effect: () => T): Promise<T> {
		const { from, to, isHanging } = this.outage ?? { from: Infinity, to: 0, isHanging: false };
		if (this.now >= from && this.now < to) {
			this.lastFault = Math.max(this.lastFault, to);
			process.isFaulty = true;
			await this.step(isHanging ? this.network : process, isHanging ? to - this.now : 0);
			if (!isHanging) throw new Error('connect ECONNREFUSED');
		}
		return await this.exchange(process, moment, effect);
	}

	/** Stops all its work for good. */
	kill(process: Waiting): void {
		process.isDead = true;
		this.waiting = this.waiting.filter((each) => each.who !== process);
	}

	/**
	 * Runs tasks until they end and no message is under way.
	 * @param onStep called before each step
	 */
	async run(tasks: Task[], onStep: (step: number) => void = () => {}): Promise<void> {
		const end = this.now + LONGEST_MS;
		let failure: Error | undefined;
		for (const task of tasks) {
			void task.run().then(
				() => (task.isOver = true),
				(error: Error) => (failure ??= error),
			);
		}
		for (let step = 0; ; step++) {
			await nextTurn();
			if (failure) throw failure;
			onStep(step);
			const isQuiet = this.waiting.every(({ who }) => who !== this.network);
			if (isQuiet && tasks.every(hasEnded)) return;
			if (this.waiting.every(({ who }) => who.sleepsThrough > 0)) {
				for (const { who } of this.waiting) who.sleepsThrough = 0;
			}
			let ready: typeof this.waiting = [];
			let soonest = Infinity;
			for (const each of this.waiting) {
				if (each.who.sleepsThrough > 0) continue;
				const time = Math.max(each.until, each.who.pausedUntil, this.now);
				if (time < soonest) [ready, soonest] = [[], time];
				if (time === soonest) ready.push(each);
			}
			if (soonest > end) throw new Error('Somebody waits for ever');
			this.now = soonest;
			const next = ready[Math.floor(this.random() * ready.length)];
			this.waiting.splice(this.waiting.indexOf(next), 1);
			// Some steps take longer.
			this.now += this.random() < 0.01 ? 300 : 1;
			next.goOn();
		}
	}
}
