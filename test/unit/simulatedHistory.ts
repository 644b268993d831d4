import { randomUUID } from 'node:crypto';
import { Memory, type ApplicationState } from '../../nodes/CandidateAssessment/memory/memory';
import type { MemoryStore } from '../../nodes/CandidateAssessment/memory/memoryStore';
import { nextTurn } from '../support/histories.mts';

/**
 * A world in which everything that takes time waits until it is told to go on, in any order, and in
 * which the process can die between any two steps.
 */
export class World {
	private waiting: Array<() => void> = [];
	/** Since the run began. */
	steps = 0;

	constructor(private readonly random: () => number) {}

	async step(): Promise<void> {
		await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	/**
	 * Runs to the end, or dies after so many steps: then nothing that waits ever goes on.
	 * @param onStep called before each step
	 */
	async run<T>(
		start: () => Promise<T>,
		crashAfter = Infinity,
		onStep: (step: number) => void = () => {},
	): Promise<{ crashed: true } | { crashed: false; result: T }> {
		let end: { result: T } | { error: unknown } | undefined;
		void start().then(
			(result) => (end = { result }),
			(error: unknown) => (end = { error }),
		);
		for (this.steps = 0; ; this.steps++) {
			await nextTurn();
			if (end && 'error' in end) throw end.error;
			if (end) return { crashed: false, result: end.result };
			if (this.steps >= crashAfter) {
				this.waiting = [];
				return { crashed: true };
			}
			onStep(this.steps);
			const [next] = this.waiting.splice(Math.floor(this.random() * this.waiting.length), 1);
			if (!next) throw new Error('The batch waits for nothing');
			next();
		}
	}
}

/** The entries of n8n's deduplication helper, which outlive a process. A write is one step, and so is its answer. */
export class SimulatedStore implements MemoryStore {
	id = randomUUID();
	readonly isPersistent = true;
	readonly entries: string[] = [];
	private turn: Promise<unknown> = Promise.resolve();

	constructor(private readonly world: Pick<World, 'step'>) {}

	async add(added: string[]): Promise<Set<string>> {
		return await this.write(() => {
			const before = new Set(this.entries);
			// As n8n's: an entry given twice in one call is added twice.
			this.entries.push(...added.filter((entry) => !before.has(entry)));
			return new Set(added.filter((entry) => before.has(entry)));
		});
	}

	async remove(removed: string[]): Promise<void> {
		await this.write(() => {
			for (const entry of removed) {
				const index = this.entries.indexOf(entry);
				if (index >= 0) this.entries.splice(index, 1);
			}
		});
	}

	async exclusive<T>(task: () => Promise<T>): Promise<T> {
		const mine = this.turn.then(task, task);
		this.turn = mine.catch(() => {});
		return await mine;
	}

	/** Another process: nothing that hangs or is sent in the last one holds it up. */
	restart(): void {
		this.id = randomUUID();
		this.turn = Promise.resolve();
	}

	private async write<T>(effect: () => T): Promise<T> {
		await this.world.step();
		const result = effect();
		await this.world.step();
		return result;
	}
}

/** The state of each application, with the store left as it is. */
export async function statesIn(
	entries: readonly string[],
	keys: readonly string[],
): Promise<ApplicationState[]> {
	const copy = new SimulatedStore({ step: async () => {} });
	copy.entries.push(...entries);
	return await new Memory(copy).lookUp(keys);
}

/** Numbers in [0, 1) that depend on the seed only (mulberry32). */
export function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
