import * as fc from 'fast-check';
import type { ItemOutcome } from '../../nodes/CandidateAssessment/actions/operation';
import { Deduplicator } from '../support/Deduplicator';
import { histories } from '../support/histories.mts';
import {
	AWAKE,
	PEOPLE,
	processOf,
	Simulation,
	type Fault,
	type Outage,
	type Process,
} from './simulatedHistory';

/**
 * Several processes of n8n on one database, with the node's own code in them from `sendOnce` down, and what
 * goes wrong with them: they die, stand still, and lose messages and answers; the database is away.
 * HISTORIES asks for more of them.
 */
const HISTORIES = histories(400);
const INSTANT = async <T>(statement: () => T) => statement();

/** Somebody who waits for the lock has it so long after the last fault. */
const LONGEST_WAIT_MS = 20_000;

interface Execution {
	startsAt?: number;
	people: string[];
	concurrency?: number;
	continueOnFail?: boolean;
}

interface Plan {
	executions: Execution[];
	/** By the number of the message that they hit. */
	faults?: Array<[number, Fault]>;
}

const fault: fc.Arbitrary<Fault> = fc.record({
	kind: fc.constantFrom('lost', 'answerLost', 'killed', 'paused'),
	milliseconds: fc.oneof(
		fc.nat(2_000),
		fc.integer({ min: 2_000, max: 22_000 }),
		fc.constant(40_000),
	),
	messages: fc.oneof(fc.constant(0), fc.nat(60)),
});
const execution: fc.Arbitrary<Execution> = fc.record({
	startsAt: fc.oneof(fc.constant(0), fc.nat(1_000), fc.nat(40_000)),
	people: fc.uniqueArray(fc.constantFrom(...PEOPLE), { minLength: 1, maxLength: 6 }),
	// A list no longer than this is not looked up.
	concurrency: fc.oneof(fc.constant(30), fc.integer({ min: 1, max: 3 })),
	continueOnFail: fc.boolean(),
});
const plan: fc.Arbitrary<Plan> = fc.record({
	executions: fc.array(execution, { minLength: 1, maxLength: 3 }),
	faults: fc.array(fc.tuple(fc.oneof(fc.nat(14), fc.nat(40)), fault), { maxLength: 2 }),
});
const outage: fc.Arbitrary<Outage> = fc
	.record({ from: fc.nat(2_000), lasts: fc.nat(22_000), isHanging: fc.boolean() })
	.map(({ from, lasts, isHanging }) => ({ from, to: from + lasts, isHanging }));
const history = fc.record({
	plans: fc.array(plan, { minLength: 2, maxLength: 4 }),
	outage: fc.option(outage, { nil: undefined, freq: 4 }),
	seed: fc.integer(),
});
const removeDuplicates = fc.record({
	mode: fc.constantFrom('entries' as const, 'latestIncrementalKey' as const),
	/** What it does, and when. */
	uses: fc.array(
		fc.record({ at: fc.oneof(fc.constant(0), fc.nat(20_000)), isCleaning: fc.boolean() }),
		{ minLength: 1, maxLength: 6 },
	),
});

/** What is true of everybody. */
class Processes extends Simulation {
	/** Who was in a list of a process that a fault hit. */
	readonly touched = new Set<string>();
	/** The longest that a process has waited for the lock. */
	readonly waits = new Map<Process, number>();
	/** Told of each invitation that was answered. */
	onSent: (process: Process, person: string) => void = () => {};
	/** An outage and several faults can last longer than recording is tried. */
	mayFailToRecord = false;
	/** In the order of their plans. */
	readonly running: Process[] = [];
	/** Whether all executions are over. */
	isQuiet = false;
	/** The first one only looks. */
	private started = 1;

	constructor(seed: number) {
		super(seed);
		this.world.onWaitForLock = (process, milliseconds) =>
			this.waits.set(process, Math.max(milliseconds, this.waits.get(process) ?? 0));
	}

	/** Runs executions in all processes to their ends, with others beside them. */
	async run(plans: Plan[], others: () => Promise<void> = async () => {}): Promise<void> {
		let failure: Error | undefined;
		let open = 1;
		const end = () => open--;
		const fail = (error: Error) => (failure ??= error);
		const running = plans.map(({ executions, faults = [] }) => {
			const process = processOf(this.started++, this.world, this.rows, new Map(faults));
			this.running.push(process);
			const unfinished = new Set(executions);
			for (const each of executions) {
				void this.execute(process, each).then(() => unfinished.delete(each), fail);
			}
			return { process, executions, unfinished };
		});
		void others().then(end, fail);
		await this.world.run(() => {
			if (failure) throw failure;
			this.isQuiet = running.every((each) => each.process.isDead || each.unfinished.size === 0);
			return open === 0 && this.isQuiet;
		});
		for (const { executions } of running.filter(({ process }) => process.isFaulty)) {
			for (const person of executions.flatMap(({ people }) => people)) this.touched.add(person);
		}
	}

	private async execute(process: Process, { startsAt, people, ...options }: Execution) {
		await this.world.step(process, startsAt);
		await this.invite(process, people, options);
	}

	/** Gives nothing if the list is refused, or the memory fails. */
	async invite(
		process: Process,
		people: string[],
		options: Parameters<Simulation['sendOnce']>[2] = {},
	): Promise<ItemOutcome[] | undefined> {
		const list = people.map((person) => ({ person }));
		const send = async ({ person }: { person: string }) => await this.send(process, person);
		return await this.sendOnce(process, list, { ...options, send }).catch((error: Error) => {
			if (!(error instanceof process.ItemError)) throw error;
			return undefined;
		});
	}

	protected override onHint(process: Process, message: string): void {
		if (!this.mayFailToRecord || !process.isFaulty) super.onHint(process, message);
	}

	/** The service and the way to it. */
	private async send(process: Process, person: string): Promise<ItemOutcome> {
		try {
			await this.world.exchange(process, () => this.take(person));
			this.onSent(process, person);
			return { kind: 'succeeded', output: { json: {} } };
		} catch (error) {
			return { kind: 'unknown', error: error as Error };
		}
	}
}

it('whatever goes wrong in any number of processes, nobody is invited twice, forgotten, or in doubt without a cause', async () => {
	await fc.assert(
		fc.asyncProperty(history, async ({ plans, outage: away, seed }) => {
			const simulation = new Processes(seed);
			const { world, taken, touched, waits } = simulation;
			world.outage = away;
			simulation.mayFailToRecord = true;
			await simulation.run(plans);
			const later = { startsAt: 30_000, people: PEOPLE, concurrency: 3 };
			await simulation.run([{ executions: [later] }]);
			expect(Math.max(...waits.values())).toBeLessThanOrEqual(LONGEST_WAIT_MS);
			expect([...taken].filter(([, times]) => times > 1)).toEqual([]);
			for (const [person, state] of await simulation.states()) {
				const isTouched = touched.has(person);
				// A fault during a lookup can leave anybody in doubt.
				const expected = isTouched ? /^(alreadySent|unknown)$/ : /^alreadySent$/;
				expect([person, state]).toEqual([person, expect.stringMatching(expected)]);
				expect([person, taken.has(person) || isTouched]).toEqual([person, true]);
			}
		}),
		{ numRuns: HISTORIES },
	);
}, 3_600_000);

const recordingFault = fault.filter(({ kind }) => kind !== 'killed');

it('a database that is away or loses answers while results are recorded leaves nobody in doubt', async () => {
	const faults = fc.array(fc.tuple(fc.nat(20), recordingFault), { maxLength: 3 });
	const whileRecording = fc.oneof(
		fc.record({ faults, away: fc.constant(undefined) }),
		fc.record({ faults: fc.constant<Array<[number, Fault]>>([]), away: outage }),
	);
	await fc.assert(
		fc.asyncProperty(whileRecording, fc.integer(), async ({ faults, away }, seed) => {
			const simulation = new Processes(seed);
			const { world } = simulation;
			const lists = [PEOPLE.slice(0, 5), PEOPLE.slice(5)];
			let unsent = lists[0].length;
			simulation.onSent = (process, person) => {
				if (!lists[0].includes(person) || --unsent > 0) return;
				const next = process.messages + 1;
				process.faults = new Map(faults.map(([index, each]) => [next + index, each]));
				if (!away) return;
				const { from, to, isHanging } = away;
				world.outage = { from: world.now + from, to: world.now + to, isHanging };
			};
			await simulation.run(lists.map((people) => ({ executions: [{ people }] })));
			world.outage = undefined;
			for (const [person, state] of await simulation.states()) {
				const expected = simulation.taken.has(person) ? 'alreadySent' : 'ready';
				expect([person, state]).toEqual([person, expected]);
			}
		}),
		{ numRuns: HISTORIES },
	);
}, 3_600_000);

const ONE = { people: ['p1'] };

it('a process with work of its own lets others have the lock in between', async () => {
	const simulation = new Processes(1);
	await simulation.run([
		{ executions: Array.from({ length: 400 }, () => ({ ...ONE })) },
		{ executions: [{ startsAt: 1_000, ...ONE }] },
	]);
	expect(simulation.world.now).toBeGreaterThan(4_000);
	const [, waited] = [...simulation.waits.values()];
	expect(waited).toBeLessThan(1_500);
});

it('a process keeps the lock while more of its own wait for it', async () => {
	const simulation = new Processes(1);
	const releases = jest.spyOn(Map.prototype, 'delete');
	const executions = Array.from({ length: 20 }, () => ({ startsAt: 1_000, ...ONE }));
	await simulation.run([{ executions }]);
	expect(releases.mock.contexts.filter((map) => map === simulation.rows).length).toBeLessThan(5);
});

it('who was invited is known as such while the rest of the list is sent', async () => {
	const simulation = new Processes(1);
	const found: string[] = [];
	simulation.onSent = (process, person) => {
		if (person !== 'p2') return;
		const looking = simulation.invite(process, ['p1', 'p2'], { checkOnly: true });
		void looking.then((outcomes) => found.push(...outcomes!.map(({ kind }) => kind)));
	};
	await simulation.run([{ executions: [{ people: PEOPLE, concurrency: 1 }] }]);
	// Whoever claims the next ones records them.
	expect(found).toEqual(['alreadySent', 'alreadySent']);
});

it('who comes when nobody else is waiting has the lock at once', async () => {
	const simulation = new Processes(1);
	const executions = [0, 1_000, 2_000].map((startsAt) => ({ startsAt, ...ONE }));
	await simulation.run([{ executions }]);
	expect(Math.max(...simulation.waits.values())).toBeLessThan(20);
});

/** One candidate in one process, which loses the answer to one of its messages. */
async function losingAnswer(message: number): Promise<Processes> {
	const simulation = new Processes(1);
	const lost: Fault = { kind: 'answerLost', milliseconds: 0, messages: 0 };
	await simulation.run([{ executions: [ONE], faults: [[message, lost]] }]);
	expect(simulation.taken.get('p1')).toBe(1);
	return simulation;
}

it('who took the lock without being told has it at once', async () => {
	// A look at the row comes before its insert.
	const { world } = await losingAnswer(1);
	expect(world.now).toBeLessThan(2_000);
});

/** Somebody waits while the lock is another's, whose row has so many entries. */
async function waiting(
	length: number,
	during: (
		simulation: Processes,
		row: string,
		wait: (milliseconds: number) => Promise<void>,
	) => Promise<void>,
): Promise<void> {
	const simulation = new Processes(length);
	const { rows, world, lock } = simulation;
	rows.set(lock, lockOf(length));
	const life = { ...AWAKE };
	await simulation.run([{ executions: [ONE] }], async () => {
		await during(simulation, lock, async (milliseconds) => await world.step(life, milliseconds));
	});
}

const lockOf = (length: number) =>
	JSON.stringify({
		mode: 'candidateAssessmentLock',
		data: Array.from(Array(length).keys(), String),
	});

it("who waits adds nothing to the holder's row, however many entries it has", async () => {
	for (let length = 2; length <= 100; length++) {
		await waiting(length, async ({ rows }, row, wait) => {
			await wait(5_000);
			expect(rows.get(row)).toBe(lockOf(length));
		});
	}
});

it('a holder that took the lock while the database answered nothing is not taken for dead', async () => {
	await waiting(20, async ({ world, rows }, row, wait) => {
		await wait(100);
		world.outage = { from: world.now, to: world.now + 12_000, isHanging: true };
		await wait(6_000);
		rows.set(row, lockOf(30));
		await wait(12_000);
		expect(rows.get(row)).toBe(lockOf(30));
		rows.delete(row);
	});
});

it("a dead holder's row stays if it has become another's since this was announced", async () => {
	await waiting(20, async ({ rows }, row, wait) => {
		while (rows.get(row) === lockOf(20)) await wait(100);
		rows.set(row, lockOf(30));
		await wait(5_000);
		expect(rows.get(row)).toBe(lockOf(30));
		rows.delete(row);
	});
});

it("who stands still after it announced that a dead holder's row goes deletes no other row", async () => {
	await waiting(20, async ({ rows, running: [process] }, row, wait) => {
		while (rows.get(row) === lockOf(20)) await wait(10);
		const pause: Fault = { kind: 'paused', milliseconds: 3_000, messages: 0 };
		process.faults = new Map([[process.messages, pause]]);
		await wait(3_000);
		rows.set(row, lockOf(30));
		await wait(3_000);
		expect(rows.get(row)).toBe(lockOf(30));
		rows.delete(row);
	});
});

it('a holder that comes after a dead one is not taken for it, even if its row has as many entries', async () => {
	await waiting(20, async ({ rows }, row, wait) => {
		while (rows.has(row)) await wait(1);
		rows.set(row, lockOf(20));
		await wait(5_000);
		expect(rows.get(row)).toBe(lockOf(20));
		rows.delete(row);
	});
});

it("who fails to announce that a dead holder's row goes tries again at once", async () => {
	/** Gives how many messages it takes to announce it, and when somebody else has the lock. */
	const takeOver = async (faults: Array<[number, Fault]>) => {
		let messages = 0;
		let takenAt = 0;
		await waiting(20, async ({ world, rows, running: [process] }, row, wait) => {
			process.faults = new Map(faults);
			while (rows.get(row) === lockOf(20)) await wait(1);
			({ messages } = process);
			while (rows.has(row)) await wait(1);
			takenAt = world.now;
		});
		return { messages, takenAt };
	};
	const { messages } = await takeOver([]);
	const lost: Fault = { kind: 'lost', milliseconds: 0, messages: 0 };
	expect((await takeOver([[messages - 1, lost]])).takenAt).toBeLessThan(15_000);
});

it("a lock is released once, even if the answer is lost: by then it may be another's", async () => {
	const deletes = jest.spyOn(Map.prototype, 'delete');
	// Insert, claim, and release take two each.
	const { rows } = await losingAnswer(5);
	expect(deletes.mock.contexts.filter((map) => map === rows)).toHaveLength(2);
});

it('who was given back without the process being told stays with the one that claims them next', async () => {
	const simulation = new Processes(1);
	const of = (...people: string[]) => ({ people, continueOnFail: false });
	const fault = (kind: Fault['kind']): Fault => ({ kind, milliseconds: 15_000, messages: 0 });
	// It dies as it sends, so p2 is in doubt.
	await simulation.run([{ executions: [of('p2')], faults: [[6, fault('killed')]] }]);
	// So the next list is refused, and p1 given back; others claim p1 before the answer is missed.
	await simulation.run([
		{ executions: [of('p1', 'p2')], faults: [[9, fault('answerLost')]] },
		{ executions: [{ ...of('p1'), startsAt: 1_000 }] },
	]);
	await simulation.run([{ executions: [of('p1')] }]);
	expect(simulation.taken.get('p1')).toBe(1);
});

it('a Remove Duplicates node of the same workflow loses no entry, and fails for a moment at most', async () => {
	await fc.assert(
		fc.asyncProperty(history, removeDuplicates, async ({ plans, seed }, { mode, uses }) => {
			const simulation = new Processes(seed);
			await simulation.run(plans, async () => {
				const { world, rows, workflow, lock } = simulation;
				const life = { ...AWAKE };
				const database = new Deduplicator(rows, async (statement) => {
					world.countMessage();
					await world.step(life);
					return statement();
				});
				const helpers = database.helpersOf(workflow, 'other');
				const seen: number[] = [];
				const clean = async () => {
					await helpers.clearAllProcessedItems('workflow', { mode });
					seen.splice(0);
				};
				for (const [item, { at, isCleaning }] of uses.entries()) {
					await world.step(life, at);
					if (isCleaning && database.valueOf(lock)?.mode === mode) await clean();
					const since = world.now;
					const add = helpers.checkProcessedAndRecord;
					while (!(await add([item], 'workflow', { mode }).catch(() => undefined))) {
						await world.step(life, 500);
						if (world.now - since < 120_000) continue;
						// All have died. The error says how to go on.
						expect(simulation.isQuiet).toBe(true);
						await clean();
					}
					seen.push(item);
					const another = new Deduplicator(new Map(rows), INSTANT).helpersOf(workflow, '');
					const { new: found } = await another.checkProcessedAndRecord(seen, 'workflow', { mode });
					expect(found).toEqual([]);
				}
			});
		}),
		{ numRuns: HISTORIES },
	);
}, 3_600_000);
