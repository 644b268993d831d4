import { nextTurn } from '../support/histories.mts';
import { Deduplicator } from '../support/Deduplicator';

type Batch = typeof import('../../nodes/CandidateAssessment/batch/sendOnce');
type Lock = typeof import('../../nodes/CandidateAssessment/memory/workflowLock');
type Errors = typeof import('../../nodes/CandidateAssessment/errors/ItemError');

/** If it takes longer, somebody waits for ever. */
const LONGEST_MS = 5 * 60_000;

/**
 * A world in which everything that takes time waits until it is told to go on, in any order, and in
 * which a process can die between any two steps. Its clock goes on with its steps.
 */
export class World {
	now = 0;
	/** Since the run began. */
	steps = 0;
	private waiting: Array<{ life: object; until: number; goOn(): void }> = [];

	/** Chance depends on the seed only (mulberry32). */
	constructor(private state: number) {
		jest.spyOn(performance, 'now').mockImplementation(() => this.now);
		jest.spyOn(Math, 'random').mockImplementation(() => this.random());
	}

	/** From 0 to 1. */
	random(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	async step(life: object, milliseconds = 0): Promise<void> {
		const until = this.now + milliseconds;
		await new Promise<void>((goOn) => this.waiting.push({ life, until, goOn }));
	}

	/** Nothing that waits in it ever goes on. */
	kill(life: object): void {
		this.waiting = this.waiting.filter((each) => each.life !== life);
	}

	/** @param onStep called before each step; true if the run is over */
	async run(onStep: (step: number) => boolean): Promise<void> {
		const end = this.now + LONGEST_MS;
		for (this.steps = 0; ; this.steps++) {
			await nextTurn();
			if (onStep(this.steps)) return;
			const soonest = Math.min(...this.waiting.map(({ until }) => until));
			if (soonest > end) throw new Error('Somebody waits for ever');
			this.now = Math.max(this.now, soonest);
			const ready = this.waiting.filter(({ until }) => until <= this.now);
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
	extends Pick<Batch, 'sendOnce'>, Pick<Lock, 'withLock'>, Pick<Errors, 'ApiError'> {
	world: World;
	/** Its way to the database. */
	deduplicator: Deduplicator;
}

let workflows = 0;

/** The ID of one that no process has seen. */
export const newWorkflow = () => `w${++workflows}`;

/** They are used again in other worlds, in workflows of their own: to load one takes its time. */
const processes: Process[] = [];

/** The process of this number, in a world and at its database. */
export function processOf(number: number, world: World, rows: Map<string, string>): Process {
	const process = (processes[number] ??= loadProcess());
	process.world = world;
	process.deduplicator = new Deduplicator(rows, async () => await world.step(process));
	return process;
}

function loadProcess(): Process {
	const process = {} as Process;
	const random = () => process.world.random();
	jest.doMock('n8n-workflow', () => ({
		...jest.requireActual<object>('n8n-workflow'),
		sleep: async (milliseconds: number) => await process.world.step(process, milliseconds),
	}));
	jest.doMock('crypto', () => ({
		...jest.requireActual<object>('crypto'),
		randomInt: (min: number, max: number) => min + Math.floor(random() * (max - min)),
		randomUUID: () => String(random()),
	}));
	jest.isolateModules(() => {
		const source = '../../nodes/CandidateAssessment';
		Object.assign(process, {
			...jest.requireActual<Batch>(`${source}/batch/sendOnce`),
			...jest.requireActual<Lock>(`${source}/memory/workflowLock`),
			...jest.requireActual<Errors>(`${source}/errors/ItemError`),
		});
	});
	return process;
}
