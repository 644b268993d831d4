import type { IExecuteFunctions } from 'n8n-workflow';
import type { Application, ItemOutcome } from '../../nodes/CandidateAssessment/actions/operation';
import { nextTurn } from '../support/histories.mts';
import { Deduplicator, rowOf } from '../support/Deduplicator';

type Batch = typeof import('../../nodes/CandidateAssessment/batch/sendOnce');
type Lock = typeof import('../../nodes/CandidateAssessment/memory/workflowLock');
type Errors = typeof import('../../nodes/CandidateAssessment/errors/ItemError');

/** If it takes longer, somebody waits for ever. */
const LONGEST_MS = 10 * 60_000;

/** What waits for the world to go on. */
export interface Waiting {
	pausedUntil: number;
	/** After that, it stands still for so many messages of others: it may wake in the middle of their work. */
	sleepsThrough: number;
	isDead: boolean;
}

export const AWAKE = { pausedUntil: 0, sleepsThrough: 0, isDead: false };

/**
 * What goes wrong with one of the messages that a process exchanges with n8n's database or the service:
 * - lost: the connection breaks before the message is there
 * - answerLost: it breaks after the message did what it says, which the process notices later
 * - killed: the process dies while the message is on its way
 * - paused: the process stands still before it sees the answer
 */
export interface Fault {
	kind: 'lost' | 'answerLost' | 'killed' | 'paused';
	/** For how long it stands still, and for how many messages of others after that. */
	milliseconds: number;
	messages: number;
}

/** What somebody does. */
export interface Task {
	who: Waiting;
	isOver?: boolean;
	run(): Promise<unknown>;
}

/** It came to its end, or nothing comes of it any more. */
export const hasEnded = ({ who, isOver = false }: Task) => isOver || who.isDead;

/** While it lasts, the database refuses connections, or answers nothing until it's over. */
export interface Outage {
	from: number;
	to: number;
	isHanging: boolean;
}

/**
 * A world in which everything that takes time waits until it is told to go on, in any order. Its clock goes on
 * with its steps.
 */
export class World {
	now = 0;
	/** When the last fault was over. */
	lastFault = 0;
	outage?: Outage;
	/** Told how long somebody has waited for the lock, since the last fault. */
	onWaitForLock: (process: Process, milliseconds: number) => void = () => {};
	private waiting: Array<{ who: Waiting; until: number; goOn(): void }> = [];
	/** Messages under way reach their end, whatever becomes of who sent them. */
	private readonly network: Waiting = { ...AWAKE };

	/** Chance depends on the seed only (mulberry32). */
	constructor(private state: number) {
		jest.spyOn(Date, 'now').mockImplementation(() => this.now);
		jest.spyOn(Math, 'random').mockImplementation(() => this.random());
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

	/** Sends a message, and waits for what it did. */
	async exchange<T>(process: Process, effect: () => T): Promise<T> {
		this.countMessage();
		const fault = process.faults.get(process.messages++);
		if (fault) {
			process.isFaulty = true;
			this.lastFault = Math.max(this.lastFault, this.now);
		}
		if (fault?.kind === 'killed') this.kill(process);
		await this.step(this.network);
		if (fault?.kind === 'lost') throw new Error('Connection terminated unexpectedly');
		const result = (async () => effect())();
		// It may be lost.
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

	/** Some stand still until so many have been sent. */
	countMessage(): void {
		for (const who of new Set(this.waiting.map((each) => each.who))) {
			if (who.sleepsThrough === 0 || this.now < who.pausedUntil) continue;
			who.sleepsThrough--;
			this.lastFault = Math.max(this.lastFault, this.now);
		}
	}

	/** An exchange with the database. */
	async query<T>(process: Process, effect: () => T): Promise<T> {
		const { from, to, isHanging } = this.outage ?? { from: Infinity, to: 0, isHanging: false };
		if (this.now >= from && this.now < to) {
			this.lastFault = Math.max(this.lastFault, to);
			process.isFaulty = true;
			await this.step(isHanging ? this.network : process, isHanging ? to - this.now : 0);
			if (!isHanging) throw new Error('connect ECONNREFUSED');
		}
		return await this.exchange(process, effect);
	}

	/** Nothing that waits in it ever goes on. */
	kill(process: Waiting): void {
		process.isDead = true;
		this.waiting = this.waiting.filter((each) => each.who !== process);
	}

	/**
	 * Runs tasks to their ends, and until no message is under way.
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
		const timeOf = ({ who, until }: { who: Waiting; until: number }) =>
			Math.max(until, who.pausedUntil);
		for (let step = 0; ; step++) {
			await nextTurn();
			if (failure) throw failure;
			onStep(step);
			const isQuiet = this.waiting.every(({ who }) => who !== this.network);
			if (isQuiet && tasks.every(hasEnded)) return;
			if (this.waiting.every(({ who }) => who.sleepsThrough > 0)) {
				for (const { who } of this.waiting) who.sleepsThrough = 0;
			}
			const awake = this.waiting.filter(({ who }) => who.sleepsThrough === 0);
			const soonest = Math.min(...awake.map(timeOf));
			if (soonest > end) throw new Error('Somebody waits for ever');
			this.now = Math.max(this.now, soonest);
			const ready = awake.filter((each) => timeOf(each) <= this.now);
			const next = ready[Math.floor(this.random() * ready.length)];
			this.waiting.splice(this.waiting.indexOf(next), 1);
			// Some take long.
			this.now += this.random() < 0.01 ? 300 : 1;
			next.goOn();
		}
	}
}

/** One life of a process of n8n, with the package loaded in it. */
export interface Process
	extends Waiting, Pick<Batch, 'sendOnce'>, Pick<Errors, 'ApiError' | 'ItemError'> {
	world: World;
	/** Its way to the database. */
	deduplicator: Deduplicator;
	/** How many it has sent, and what goes wrong with which of them. */
	messages: number;
	faults: ReadonlyMap<number, Fault>;
	/** Since a fault hit it. */
	isFaulty: boolean;
}

/** They are used again in other worlds, in workflows of their own: to load one takes its time. */
const processes: Process[] = [];

/** The process of this number, in a world and at its database. */
export function processOf(
	number: number,
	world: World,
	rows: Map<string, string>,
	faults: ReadonlyMap<number, Fault> = new Map(),
): Process {
	const process = (processes[number] ??= loadProcess());
	const query = async <T>(effect: () => T) => await world.query(process, effect);
	const deduplicator = new Deduplicator(rows, query);
	const state = { ...AWAKE, messages: 0, isFaulty: false };
	return Object.assign(process, { world, deduplicator, faults, ...state });
}

function loadProcess(): Process {
	const process = {} as Process;
	const random = () => process.world.random();
	const source = '../../nodes/CandidateAssessment';
	jest.doMock('n8n-workflow', () => ({
		...jest.requireActual<object>('n8n-workflow'),
		sleep: async (milliseconds: number) => await process.world.step(process, milliseconds),
	}));
	jest.doMock('crypto', () => ({
		...jest.requireActual<object>('crypto'),
		randomInt: (min: number, max: number) => min + Math.floor(random() * (max - min)),
		randomUUID: () => String(random()),
	}));
	jest.doMock('../../nodes/CandidateAssessment/memory/workflowLock', () => {
		const actual = jest.requireActual<Lock>(`${source}/memory/workflowLock`);
		const withLock: Lock['withLock'] = async (context, task) => {
			const since = process.world.now;
			return await actual.withLock(context, async (...args) => {
				const { now, lastFault, onWaitForLock } = process.world;
				onWaitForLock(process, now - Math.max(since, lastFault));
				return await task(...args);
			});
		};
		return { ...actual, withLock };
	});
	jest.isolateModules(() => {
		Object.assign(process, {
			...jest.requireActual<Batch>(`${source}/batch/sendOnce`),
			...jest.requireActual<Errors>(`${source}/errors/ItemError`),
		});
	});
	return process;
}

export const NODE = 'invite';

/** Everybody that there is; the lists are drawn from them. */
export const PEOPLE = Array.from({ length: 12 }, (_, index) => `p${index}`);

/** One of a list. */
export interface Row {
	person: string;
	mode?: Application['ifAlreadySent'];
}

interface SendOptions<Listed> {
	concurrency?: number;
	continueOnFail?: boolean;
	checkOnly?: boolean;
	stop?: AbortController;
	/** Of all tries of an execution, if there are several. */
	context?: IExecuteFunctions;
	/** The service and the way to it. */
	send?: (row: Listed) => Promise<ItemOutcome>;
}

/** Nothing takes time in it, and nobody can wait. */
const INSTANT = {
	query: async (_process: Process, effect: () => unknown) => effect(),
	random: () => 0,
	onWaitForLock: () => {},
} as unknown as World;

/** How many there have been: each has an ID that no process has seen. */
let workflows = 0;

/** The partner service, n8n's database, and a workflow with the node. */
export class Simulation<Listed extends Row = Row> {
	readonly world: World;
	readonly rows = new Map<string, string>();
	readonly workflow = `w${++workflows}`;
	/** How often the service has taken an invitation, by person. */
	readonly taken = new Map<string, number>();

	constructor(seed: number) {
		this.world = new World(seed);
	}

	/** The row in which the lock is. */
	get lock(): string {
		return rowOf(this.workflow);
	}

	protected take(person: string): void {
		this.taken.set(person, (this.taken.get(person) ?? 0) + 1);
	}

	protected onHint(_process: Process, message: string): void {
		throw new Error(message);
	}

	/** Of one execution, with all its tries. */
	protected contextOf(process: Process, retryOnFail = false): IExecuteFunctions {
		const run = {};
		return {
			getWorkflow: () => ({ id: this.workflow, active: true }),
			getNode: () => ({ id: NODE, type: 'node', retryOnFail }),
			getExecuteData: () => run,
			helpers: process.deduplicator.helpersOf(this.workflow, NODE),
		} as unknown as IExecuteFunctions;
	}

	/** Gives nothing if the list is refused. */
	async sendOnce(
		process: Process,
		list: Listed[],
		options: SendOptions<Listed> = {},
	): Promise<ItemOutcome[] | undefined> {
		const { concurrency = 30, continueOnFail = true, checkOnly = false } = options;
		const { context = this.contextOf(process), stop = new AbortController() } = options;
		const refusal = new Error('The list is refused');
		const outcomes = process.sendOnce(context, list.map(itemOf), {
			concurrency,
			continueOnFail,
			checkOnly,
			stop,
			check: (settled) => {
				if (!continueOnFail && settled.some((each) => each && 'error' in each)) throw refusal;
			},
			send: async (index) => await options.send!(list[index]),
			warn: (message) => this.onHint(process, message),
		});
		return await outcomes.catch((error: Error) => {
			if (error === refusal) return undefined;
			throw error;
		});
	}

	/** What would become of everybody if they were invited now, while nobody has the lock. */
	async states(): Promise<Map<string, ItemOutcome['kind']>> {
		const rows = new Map([...this.rows].filter(([row]) => row !== this.lock));
		const list = PEOPLE.map((person) => ({ person }) as Listed);
		const outcomes = await this.sendOnce(processOf(0, INSTANT, rows), list, { checkOnly: true });
		return new Map(PEOPLE.map((person, index) => [person, outcomes![index].kind]));
	}
}

function itemOf({ person, mode = 'skip' }: Row) {
	const unknownOutcome = { message: 'Not confirmed', description: 'Look for it' };
	const application = { identity: [person], ifAlreadySent: mode, unknownOutcome };
	return { kind: 'ready' as const, application };
}
