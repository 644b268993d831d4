import { deaths, nextTurn, SEED, showFigures } from '../support/histories.mts';
import { PEOPLE, processOf, Simulation, type Process } from './simulation';
import { World, type Messenger, type Task, type Waiting } from './simulatedWorld';

/**
 * No delete asks who holds the lock, so two that wait for a dead holder can delete the next one's row:
 * docs/decisions/0015. DEATHS asks for more of them, and prints how often that was.
 */
const DEATHS = deaths(200);

/** Whoever waits sees within this time that another has the lock. */
const SHORTEST_PAUSE_MS = 40;

/** A statement takes 1 to 10 ms, and one of a hundred 300 ms, while others go on. */
class DeathWorld extends World {
	/** Of the statement that the database carries out. */
	sender?: Messenger;
	/** In the order of their times. */
	private readonly events: Array<{ at: number; goOn(): void }> = [];

	override async step(_who: Waiting, milliseconds = this.wayTime()): Promise<void> {
		const at = this.now + milliseconds;
		const { events } = this;
		let index = events.length;
		while (index > 0 && events[index - 1].at > at) index--;
		await new Promise<void>((goOn) => events.splice(index, 0, { at, goOn }));
	}

	override async run(tasks: Task[]): Promise<void> {
		const ends = Promise.all(tasks.map(async ({ run }) => await run()));
		for (;;) {
			await nextTurn();
			const next = this.events.shift();
			if (!next) break;
			this.now = next.at;
			next.goOn();
		}
		await ends;
	}

	override async query<T>(process: Messenger, effect: () => T): Promise<T> {
		// Before, all only count.
		if (this.now < 59_000) return effect();
		return await super.query(process, () => {
			this.sender = process;
			return effect();
		});
	}

	/** To the database, or back. */
	private wayTime(): number {
		return this.random() < 0.005 ? 300 : 0.5 + 4.5 * this.random();
	}
}

/** A holder dies, while so many processes wait for its lock. Each wants to invite somebody. */
class Death extends Simulation {
	/** How often a process has deleted the row of another that has the lock. */
	wrongDeletes = 0;
	override readonly world: DeathWorld;

	constructor(
		seed: number,
		private readonly waiting: number,
	) {
		const world = new DeathWorld(seed);
		super(seed, world);
		this.world = world;
	}

	async happen(): Promise<void> {
		const row = JSON.stringify({ mode: 'candidateAssessmentLock', data: ['a dead one'] });
		this.rows.set(this.lock, row);
		this.watchLock();
		const tasks = PEOPLE.slice(0, this.waiting).map((person, index) => {
			const who = processOf(index + 1, this.world, this.rows);
			return { who, run: async () => await this.invite(who, person) };
		});
		await this.world.run(tasks);
	}

	/** Those who were invited, and would be invited again. */
	async forgotten(): Promise<string[]> {
		const states = await this.states();
		return [...this.taken.keys()].filter((person) => states.get(person) === 'ready');
	}

	private watchLock(): void {
		const { rows, lock, world } = this;
		const [write, remove] = [rows.set.bind(rows), rows.delete.bind(rows)];
		let holder: Messenger | undefined;
		rows.set = (row, value) => {
			if (row === lock) holder = world.sender;
			return write(row, value);
		};
		rows.delete = (row) => {
			if (holder && holder !== world.sender) this.wrongDeletes++;
			holder = undefined;
			return remove(row);
		};
	}

	private async invite(process: Process, person: string): Promise<void> {
		await this.world.step(process, SHORTEST_PAUSE_MS * this.world.random());
		await this.sendOnce(process, [{ person }], {
			send: async () => {
				await this.world.exchange(process, () => this.take(person));
				return { kind: 'succeeded', output: { json: {} } };
			},
		});
	}
}

/** What came of deaths while so many waited. */
async function happen(waiting: number) {
	const [wrongDeletes, forgotten]: number[][] = [[], []];
	for (let seed = 0; seed < DEATHS; seed++) {
		const death = new Death(SEED * 1_000_000 + seed, waiting);
		await death.happen();
		if (death.wrongDeletes > 0) wrongDeletes.push(death.wrongDeletes);
		const { length } = await death.forgotten();
		if (length > 0) forgotten.push(length);
	}
	showFigures({ waiting, deaths: DEATHS, wrongDeletes, forgotten });
	return { wrongDeletes, forgotten };
}

it("somebody who waits alone for a dead holder deletes no other's row", async () => {
	expect(await happen(1)).toEqual({ wrongDeletes: [], forgotten: [] });
}, 3_600_000);

it.each([2, 5, 10])(
	"of %i that wait for a dead holder, two hardly ever delete so that the next holder's row goes",
	async (waiting) => {
		const { wrongDeletes } = await happen(waiting);
		expect(wrongDeletes.length).toBeLessThanOrEqual(DEATHS / 70);
	},
	3_600_000,
);
